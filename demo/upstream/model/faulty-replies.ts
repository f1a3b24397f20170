// Simulates faults of model servers, each as a real HTTP response. A test sets a fault, or the name
// of the model contains it: `demo-editor:busy`.
import type { ServerResponse } from 'node:http';

export const modelFaults = [
  /** Accepts the request and never responds. */
  'slow',
  ...(['busy', 'busy-silent', 'broken', 'resting', 'locked', 'gateway-timeout'] as const),
  /** Sends half of the response and then closes the connection. */
  'cut',
  /** `finish_reason: length`; the text ends in the middle. */
  'length',
  ...(['prose', 'fenced', 'thinking', 'other-shape', 'not-json', 'empty', 'parts'] as const),
  ...(['refusal', 'filtered', 'error-in-200', 'not-a-completion', 'no-usage'] as const),
  ...(['endless', 'huge', 'deep', 'nul', 'redirect'] as const),
  /** Refuses a field or a value of the request. */
  ...(['no-schema', 'no-format', 'no-max-tokens', 'no-temperature'] as const),
  /**
   * The reply for every pair of reports: always "same", always "unrelated", or a reply that depends
   * on their order.
   */
  ...(['always-same', 'always-unrelated', 'by-position'] as const),
  /** Embeddings: a missing vector, a shorter one, a zero one, another order, another length. */
  ...(['short-batch', 'ragged', 'zero-vector', 'shuffled', 'other-size'] as const),
] as const;

export type ModelFault = (typeof modelFaults)[number];

export const jsonHeaders = { 'content-type': 'application/json' };

const refusals: {
  readonly [M in ModelFault]?: readonly [number, object, Record<string, string>?];
} = {
  busy: [
    429,
    { message: 'Rate limit reached.', type: 'requests', code: 'rate_limit_exceeded' },
    { 'retry-after': '2' },
  ],
  'busy-silent': [429, { message: 'Too many requests.' }],
  broken: [500, { message: 'The server had an error.', type: 'server_error' }],
  resting: [503, { message: 'Overloaded.', type: 'server_error' }, { 'retry-after': '1' }],
  locked: [401, { message: 'Incorrect API key: sk-secret.', code: 'invalid_api_key' }],
  'gateway-timeout': [504, { message: 'The upstream server is timing out.' }],
  redirect: [307, {}, { location: 'http://169.254.169.254/latest' }],
};

/** Sends the refusal of this fault. False: the fault is not a refusal. */
export function refuse(response: ServerResponse, fault: string | null): boolean {
  const refusal = fault === null ? undefined : refusals[fault as ModelFault];
  if (refusal === undefined) return false;
  const [status, error, headers = {}] = refusal;
  response.writeHead(status, { ...jsonHeaders, ...headers });
  response.end(JSON.stringify({ error }));
  return true;
}

type Body = Readonly<Record<string, unknown>>;

/** The error of a server with this fault; null: it accepts the request. */
export function findRequestError(fault: string | null, body: Body): string | null {
  const format = (body.response_format as { type?: string } | undefined)?.type;
  switch (fault) {
    case 'no-schema':
      return format === 'json_schema' ? "'json_schema' is not supported by this model." : null;
    case 'no-format':
      return format === undefined ? null : 'Unrecognized request argument: response_format';
    case 'no-max-tokens':
      return 'max_tokens' in body
        ? "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        : null;
    case 'no-temperature':
      return 'temperature' in body ? "'temperature' does not support 0 with this model." : null;
    default:
      return null;
  }
}

/** The content and finish reason of a response with this fault. */
export function makeFaultyContent(
  fault: string | null,
  content: string,
): readonly [string, string] {
  switch (fault) {
    case 'length':
      return [content.slice(0, Math.max(1, content.length >> 1)), 'length'];
    case 'prose':
      return [`Sure! Here is what you asked for: ${content} I hope that helps {really}.`, 'stop'];
    case 'fenced':
      return [`Of course.\n\n\`\`\`json\n${content}\n\`\`\`\n`, 'stop'];
    case 'thinking':
      return [`<think>The user wants {"x": 1}. Let me see …</think>\n${content}`, 'stop'];
    case 'other-shape':
      return ['{"result": {"value": 1}}', 'stop'];
    case 'not-json':
      return ['I am not able to put this into that form.', 'stop'];
    case 'empty':
      return ['', 'stop'];
    case 'filtered':
      return ['', 'content_filter'];
    case 'deep':
      return ['['.repeat(60_000) + ']'.repeat(60_000), 'stop'];
    case 'nul':
      return [content.replace('{', '{"extra\u0000\ud800": "\u0000", '), 'stop'];
    default:
      return [content, 'stop'];
  }
}

/** Sends bytes as fast as the client reads them, until it stops or `maxBytes` are sent. */
export async function sendFlood(response: ServerResponse, maxBytes: number): Promise<void> {
  response.writeHead(200, jsonHeaders);
  const piece = `{"choices": ["${'word '.repeat(4_000)}`;
  for (let sentBytes = 0; sentBytes < maxBytes && !response.destroyed; sentBytes += piece.length) {
    if (response.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const finish = () => {
        response.off('drain', finish).off('close', finish);
        resolve();
      };
      response.on('drain', finish).on('close', finish);
    });
  }
  response.end();
}
