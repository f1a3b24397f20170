// Sends one request over real HTTP unchanged: no redirects, no normalization.
import {
  Agent,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request as startRequest,
} from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export type TestRequest = {
  readonly method?: string;
  /** Path and query, unchanged. */
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
};

export type TestResponse = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as received, before decoding. */
  readonly bytes: Buffer;
  /** Decoded body. */
  readonly text: string;
};

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

export function sendRequest(origin: string, request: TestRequest): Promise<TestResponse> {
  const { method = 'GET', path, body } = request;
  // For some methods Node sends a body without its length. A server would parse that body as the
  // next request.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const headers = { ...request.headers, ...length };
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const clientRequest = startRequest({ agent, hostname, port, method, path, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const status = res.statusCode ?? 0;
        resolve({ status, headers: res.headers, bytes, text: textOf(bytes, res.headers) });
      });
    });
    clientRequest.on('error', reject);
    clientRequest.end(body);
  });
}

function textOf(bytes: Buffer, { 'content-encoding': coding }: IncomingHttpHeaders): string {
  if (bytes.length === 0 || coding === undefined) return bytes.toString();
  return (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString();
}

export const json = (response: TestResponse): Record<string, unknown> => JSON.parse(response.text);

/** Sends bytes and returns all received bytes until the server closes the connection. */
export function sendRawRequest(origin: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const text = () => Buffer.concat(chunks).toString('latin1');
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      // Closes after the response, because the server may still wait for the rest of the request.
      if (/^HTTP\/1\.1 [2-5][\s\S]*\r\n\r\n/m.test(text())) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text()));
    socket.write(bytes);
  });
}
