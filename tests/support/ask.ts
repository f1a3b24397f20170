// One request over real HTTP, exactly as it is written: no following, no decoding, no clean-up.
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export type Asked = {
  readonly method?: string;
  /** Path and query, unchanged. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
};

export type Answered = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
};

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

export function ask(origin: string, asked: Asked): Promise<Answered> {
  const { method = 'GET', path, headers = {}, body } = asked;
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const status = res.statusCode ?? 0;
        resolve({ status, headers: res.headers, bytes, text: bytes.toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const json = (answer: Answered): Record<string, unknown> => JSON.parse(answer.text);

/** Sends bytes and gives back everything that came until the server hung up. */
export function askRaw(origin: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.write(bytes);
  });
}
