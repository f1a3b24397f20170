// Rejects requests with ambiguous framing before any part is used. A valid request has one Host,
// and the end of its body is unambiguous for this server and for a proxy in front of it.
import type { IncomingMessage } from 'node:http';
import { Fault } from '../errors/fault.ts';

/**
 * Null: the request can be handled. Where the end of the request is unclear, its response closes
 * the connection.
 */
export function findFramingFault(
  req: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders' | 'httpVersion'>,
): Fault | null {
  const { headers, httpVersion } = req;
  // RFC 9112, 3.2: a request without Host or with two Host fields receives 400.
  if (headers.host === undefined && httpVersion === '1.1') {
    return closingFault('The header Host is missing.');
  }
  if (countOf(req, 'host') > 1) {
    return closingFault('The header Host is present more than once.');
  }
  // RFC 9112, 6.1: the end of a body in another transfer coding is unknown.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return closingFault('The only accepted Transfer-Encoding is chunked.');
  }
  // RFC 9112, 6.1: HTTP/1.0 has no transfer codings, so a proxy may see another end of the body.
  if (coding !== undefined && httpVersion === '1.0') {
    return closingFault('A request of HTTP/1.0 has no Transfer-Encoding.');
  }
  // A proxy that compares raw paths does not recognize /admin in /%61dmin.
  if (ENCODED_FIRST_SEGMENT.test(req.url ?? '/')) {
    return new Fault('not_found', 'There is no such address.');
  }
  return null;
}

const closingFault = (message: string): Fault =>
  new Fault('invalid_request', message, { headers: { connection: 'close' } });

const ENCODED_FIRST_SEGMENT = /^\/[^/?]*%/;

/** `rawHeaders` alternates names and values. */
function countOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, headerName: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === headerName) count += 1;
  }
  return count;
}
