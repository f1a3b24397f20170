// Responds to bytes that Node cannot parse as a request with one problem, then closes the
// connection.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Fault } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import { problemOf } from '../problem.ts';

/** Harmless errors: an unread body, bytes after the last response, a disconnected client. */
const untold = new Set([
  'ECONNRESET',
  'EPIPE',
  'HPE_CLOSED_CONNECTION',
  'HPE_INVALID_CHUNK_SIZE',
  'HPE_CHUNK_EXTENSIONS_OVERFLOW',
  'HPE_INVALID_EOF_STATE',
]);

export function refuseUnparsed(world: World, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || untold.has(error.code ?? '')) {
    socket.destroy();
    return;
  }
  sendRawProblem(world, faultOf(error.code ?? ''), socket);
}

/** CONNECT requests a tunnel, and Node passes the bare socket. */
export function refuseTunnel(world: World, socket: Duplex): void {
  sendRawProblem(world, new Fault('method_not_allowed', 'This is no proxy.'), socket);
}

function sendRawProblem(world: World, fault: Fault, socket: Duplex): void {
  const { status, headers, body } = problemOf(world, fault, { url: '/', method: 'GET' });
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function faultOf(code: string): Fault {
  switch (code) {
    case 'HPE_INVALID_METHOD':
      return new Fault(
        'method_not_allowed',
        'This address is read-only: use GET, HEAD or OPTIONS.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return new Fault('invalid_request', 'The request line and its headers are over 16 KB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Fault('invalid_request', 'The request did not arrive in time.');
    default:
      return new Fault('invalid_request', 'This is not an HTTP request that can be read.');
  }
}
