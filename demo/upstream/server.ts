// Opens one upstream server on loopback with real HTTP. A fault makes it fail on purpose. A test
// sets a fault, or a request contains it, such as `upstream:slow`.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type UpstreamRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

export type UpstreamFault =
  /** Accepts the request and never responds. */
  | 'slow'
  /** 429 with Retry-After. */
  | 'busy'
  /** 500. */
  | 'broken'
  /** Sends half of the response and then closes the connection. */
  | 'truncated'
  /** JSON in which every field has another name. */
  | 'changed'
  /** 401. */
  | 'locked'
  /** 503 with Retry-After. */
  | 'resting';

export type UpstreamServer = {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly host: string;
  /** Method and path of every request so far. */
  readonly requests: string[];
  /** Sets the fault of all further requests; null: none. */
  setFault(fault: UpstreamFault | null): void;
  close(): Promise<void>;
};

const upstreamFaults: readonly UpstreamFault[] = [
  ...(['slow', 'busy', 'broken', 'truncated', 'changed', 'locked', 'resting'] as const),
];

export async function openServer(
  handle: (request: UpstreamRequest) => Reply | Promise<Reply>,
): Promise<UpstreamServer> {
  const requests: string[] = [];
  let currentFault: UpstreamFault | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const url = new URL(request.url ?? '/', 'http://upstream');
      const { method = 'GET', headers } = request;
      requests.push(`${method} ${url.pathname}`);
      const fault =
        currentFault ?? findFault(`${decodeQuery(url.search)} ${body.toString('utf8')}`);
      const reply = () =>
        handle({ method, path: url.pathname, query: url.searchParams, headers, body });
      void send(response, fault, reply);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    setFault: (fault) => {
      currentFault = fault;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function decodeQuery(search: string): string {
  try {
    return decodeURIComponent(search);
  } catch {
    return search;
  }
}

function findFault(text: string): UpstreamFault | null {
  const word = /upstream:([a-z]+)/.exec(text)?.[1];
  return upstreamFaults.find((fault) => fault === word) ?? null;
}

const refusals: { readonly [M in UpstreamFault]?: readonly [number, Record<string, string>?] } = {
  busy: [429, { 'retry-after': '7' }],
  broken: [500],
  locked: [401],
  resting: [503, { 'retry-after': '12' }],
};

async function send(
  response: ServerResponse,
  fault: UpstreamFault | null,
  reply: () => Reply | Promise<Reply>,
): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const refuse = (status: number, headers: Readonly<Record<string, string>> = {}) => {
    response.writeHead(status, { ...json, ...headers });
    response.end(JSON.stringify({ error: { message: 'Not now.', code: status } }));
  };
  const refusal = fault === null ? undefined : refusals[fault];
  if (fault === 'slow') return;
  if (refusal) {
    refuse(...refusal);
    return;
  }
  const { status, headers = json, body } = await reply();
  const bytes = Buffer.from(fault === 'changed' ? renameFields(body) : body);
  response.writeHead(status, { ...headers, 'content-length': String(bytes.byteLength) });
  if (fault !== 'truncated') response.end(bytes);
  else response.write(bytes.subarray(0, bytes.byteLength >> 1), () => response.destroy());
}

/** Renames every field inside the envelope, like a new version of an API. */
function renameFields(body: string | Buffer): string {
  const text = body.toString('utf8');
  const envelopeFields = /^(code|message|data)$/;
  return text.replace(/"(\w+)":/g, (match, name: string) =>
    envelopeFields.test(name) ? match : `"${name}_v9":`,
  );
}

export function jsonReply(value: unknown, status = 200): Reply {
  return { status, body: JSON.stringify(value) };
}
