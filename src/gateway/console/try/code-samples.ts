// Code samples of one request, without its key: curl, the SDK and Python. Input is quoted by the
// rules of each language, so that it stays text.

export type SampleRequest = {
  readonly capability: string;
  readonly method: 'GET' | 'POST';
  readonly baseUrl: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/**
 * In a shell, a single quote cannot occur within single quotes. Each quote is replaced by the end
 * of the quoted text, an escaped quote, and the start of a new quoted text.
 */
const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const formatJson = (value: unknown) => JSON.stringify(value, null, 2);
/** U+2028 and U+2029 are valid in JSON and not in older scripts. */
const quoteForScript = (value: unknown) =>
  formatJson(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

const toQuery = (body: SampleRequest['body']) =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
  );

export function formatCurl({ method, baseUrl, path, body }: SampleRequest): string {
  const key = '-H "Authorization: Bearer $GATEWAY_KEY"';
  if (method === 'GET') {
    const parts = [...toQuery(body)].map(([name, value]) => quoteForShell(`${name}=${value}`));
    const data = parts.map((part) => `  --data-urlencode ${part}`).join(' \\\n');
    return `curl -G ${quoteForShell(baseUrl + path)} \\\n  ${key} \\\n${data}`;
  }
  const lines = [
    `curl ${quoteForShell(baseUrl + path)}`,
    key,
    '-H "Content-Type: application/json"',
  ];
  // A retry with the same Idempotency-Key is never charged twice.
  lines.push('-H "Idempotency-Key: $(uuidgen)"', `-d ${quoteForShell(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** Names of the SDK's methods by capability. */
const methods: Readonly<Record<string, string>> = {
  social: 'social',
  transcribe: 'transcribe',
  ocr: 'ocr',
  'svc-image': 'image',
  'svc-video': 'video',
  search: 'search',
};

export function formatTypescript(
  { capability, baseUrl, body }: SampleRequest,
  relayUrl: string,
): string {
  const key = 'process.env.GATEWAY_KEY';
  if (capability === 'chat') {
    return `import { createGateway } from 'content-radar-sdk/gateway';

const { chat } = createGateway({
  baseUrl: ${quoteForScript(baseUrl)},
  relayUrl: ${quoteForScript(relayUrl)},
  agentKey: ${key},
});
for await (const chunk of chat.stream(${quoteForScript(body)})) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}`;
  }
  const client = `createGateway({ baseUrl: ${quoteForScript(baseUrl)}, apiKey: ${key} })`;
  const isSearch = capability === 'search';
  const method = methods[capability] ?? 'run';
  return `import { createGateway } from 'content-radar-sdk/gateway';

const gateway = ${client};
const ${isSearch ? 'answer' : '{ data, charge }'} = await gateway.${method}(\
${quoteForScript(body)});
console.log(${isSearch ? 'answer' : 'data, charge.total'});`;
}

export function formatPython({ method, baseUrl, path, body }: SampleRequest): string {
  const argumentName = method === 'GET' ? 'params' : 'json';
  const headers = ['"Authorization": f"Bearer {os.environ[\'GATEWAY_KEY\']}"'];
  if (method === 'POST') headers.push('"Idempotency-Key": str(uuid.uuid4())');
  return `import os${method === 'POST' ? ', uuid' : ''}
import requests

answer = requests.${method.toLowerCase()}(
    ${JSON.stringify(baseUrl + path)},
    headers={${headers.join(', ')}},
    ${argumentName}=${toPython(body)},
)
answer.raise_for_status()
print(answer.json())`;
}

/** JSON is valid Python except for `null`, `true` and `false`. */
function toPython(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(
      ([name, field]) => `${JSON.stringify(name)}: ${toPython(field)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}
