// Responds to bytes that Node cannot parse as a request, or to a bare socket, with one error. Then
// the connection closes.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export type UnparsedRequest = {
  readonly error: NodeJS.ErrnoException;
  readonly socket: Duplex;
  /** Error codes that need no response, besides those of a disconnected client. */
  readonly ignoredCodes?: readonly string[];
};

export type RawErrorResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** Error codes of a client that disconnected, and of bytes after the last response. */
const disconnectCodes = ['ECONNRESET', 'EPIPE', 'HPE_CLOSED_CONNECTION', 'HPE_INVALID_EOF_STATE'];
/** Error codes of a request body that is no longer read. */
export const unreadBodyCodes = ['HPE_INVALID_CHUNK_SIZE', 'HPE_CHUNK_EXTENSIONS_OVERFLOW'];

/** `respond` receives the code of the error. */
export function refuseUnparsed(
  { error, socket, ignoredCodes = [] }: UnparsedRequest,
  respond: (code: string) => RawErrorResponse,
): void {
  const code = error.code ?? '';
  if (!socket.writable || [...disconnectCodes, ...ignoredCodes].includes(code)) socket.destroy();
  else endSocket(socket, respond(code));
}

export function endSocket(socket: Duplex, { status, headers, body }: RawErrorResponse): void {
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
