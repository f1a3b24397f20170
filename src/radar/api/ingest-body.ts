// The body of a push: JSON of at most 2 MiB, counted while it comes in, and never read for whoever
// may not send it.
import type { IncomingMessage } from 'node:http';
import { Fault } from '../../kernel/fault.ts';

const BODY_MAX_BYTES = 2 * 1024 * 1024;

/**
 * Throws a Fault: unsupported_media_type, payload_too_large, invalid_request. `invite` is called
 * when the headers are good, before anything is read.
 */
export async function readJsonBody(req: IncomingMessage, invite: () => void): Promise<unknown> {
  checkMediaType(req);
  if (Number(req.headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  invite();
  const text = decode(await readBytes(req));
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault('invalid_request', 'The body is not JSON.', { cause });
  }
}

function checkMediaType({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  const coding = headers['content-encoding'] ?? 'identity';
  if (type.trim() === 'application/json' && isUtf8 && coding === 'identity') return;
  throw new Fault(
    'unsupported_media_type',
    'Send application/json in UTF-8, without a content coding.',
  );
}

function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_MAX_BYTES) {
        req.off('data', onData);
        return reject(tooLarge());
      }
      chunks.push(chunk);
    };
    req.on('data', onData);
    req.once('end', () => resolve(Buffer.concat(chunks)));
    const broken = () => reject(new Fault('invalid_request', 'The body was cut off.'));
    req.once('error', broken);
    req.once('aborted', broken);
  });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Fault('invalid_request', 'The body is not UTF-8.', { cause });
  }
}

const tooLarge = () =>
  new Fault('payload_too_large', 'A batch may have at most 2 MiB. Send it in several.');
