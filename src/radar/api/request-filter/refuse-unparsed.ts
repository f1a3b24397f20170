// Problems for input that Node refuses before the application: unreadable bytes and tunnels.
import type { Duplex } from 'node:stream';
import { Fault } from '../../../kernel/errors/fault.ts';
import {
  endSocket,
  refuseUnparsed,
  unreadBodyCodes,
} from '../../../kernel/http/refuse-unparsed.ts';
import type { World } from '../../../kernel/world.ts';
import { problemOf } from '../problem.ts';

const unparsedRequestFields = { url: '/', method: 'GET' };

export function refuseBytes(world: World, error: NodeJS.ErrnoException, socket: Duplex): void {
  refuseUnparsed({ error, socket, ignoredCodes: unreadBodyCodes }, (code) =>
    problemOf(world, faultOf(code), unparsedRequestFields),
  );
}

/** CONNECT requests a tunnel, and Node passes the bare socket. */
export function refuseTunnel(world: World, socket: Duplex): void {
  const fault = new Fault('method_not_allowed', 'This server is not a proxy.');
  endSocket(socket, problemOf(world, fault, unparsedRequestFields));
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
      return new Fault('invalid_request', 'The request is not valid HTTP.');
  }
}
