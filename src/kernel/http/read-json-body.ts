// Reads a JSON body of bounded size and counts its bytes during the read. Servers authenticate a
// request before they read its body.
import type { IncomingMessage } from 'node:http';
import { type FieldProblem, formatProblems, nameOf } from '../errors/describe-issue.ts';
import { Fault } from '../errors/fault.ts';
import { findJsonExcess, type JsonLimits } from '../text/json-limits.ts';
import { findRepeatedMember } from '../text/repeated-member.ts';
import { decodeContent, isKnownCoding } from './decode-content.ts';

export type BodyLimit = {
  readonly maxBytes: number;
  /** The message when the body is larger. */
  readonly tooLarge: string;
  /** Content codings are accepted; `maxBytes` limits both the coded and the decoded size. */
  readonly isCompressible?: boolean;
  /** The body is read by `parseSmallJson`. */
  readonly isSmall?: boolean;
};

/**
 * Throws a Fault: unsupported_media_type, payload_too_large, invalid_request. `sendContinue` is
 * called after the headers are checked and before the body is read.
 */
export async function readJsonBody(
  req: IncomingMessage,
  limit: BodyLimit,
  sendContinue: () => void,
): Promise<unknown> {
  const text = await readJsonText(req, limit, sendContinue);
  return limit.isSmall === true ? parseSmallJson(text) : parseJson(text);
}

/**
 * Like `parseJson`, for the small bodies of an API. Throws also when an object has two members of
 * one name (I-JSON, RFC 7493, 2.3): a client that sends `max_charge` twice could mean either value.
 */
export function parseSmallJson(text: string): unknown {
  const value = parseWithin(text, smallLimits);
  const path = findRepeatedMember(text);
  if (path === null) return value;
  const field = nameOf(path).slice(0, MAX_PATH_CHARACTERS);
  const errors: readonly FieldProblem[] = [{ field, message: 'is given twice' }];
  throw new Fault('invalid_request', formatProblems(errors, 'field'), { members: { errors } });
}

const MAX_PATH_CHARACTERS = 200;

/**
 * Throws a Fault `invalid_request` for a text that is not JSON, has too many values, or is nested
 * too deeply.
 */
export const parseJson = (text: string): unknown => parseWithin(text, largeLimits);

function parseWithin(text: string, limits: JsonLimits): unknown {
  const excess = findJsonExcess(text, limits);
  if (excess !== null) {
    const problem = excess === 'depth' ? 'is nested too deeply' : 'has too many values';
    throw new Fault('invalid_request', `The body ${problem}.`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault('invalid_request', 'The body is not JSON.', { cause });
  }
}

/**
 * JSON.parse reads any depth. Recursive functions, and the parsers of providers, overflow at a few
 * thousand levels. Clients send fewer than 100.
 */
const MAX_DEPTH = 501;

/**
 * Large bodies of clients consist of long texts. 25 MB of small members would occupy the process
 * for 14 s, and no other request would get a response meanwhile.
 */
const largeLimits: JsonLimits = { members: 100_000, entries: 500_000, depth: MAX_DEPTH };

/** The validation of 20,000 unknown members took 0.1 s. */
const smallLimits: JsonLimits = { members: 5_000, entries: 20_000, depth: MAX_DEPTH };

/** Like `readJsonBody`, without parsing. Synchronous when the whole body has arrived. */
export function readJsonText(
  req: IncomingMessage,
  limit: BodyLimit,
  sendContinue: () => void,
): string | Promise<string> {
  const coding = readContentCoding(req, limit);
  if (Number(req.headers['content-length'] ?? 0) > limit.maxBytes) throw tooLargeFault(limit);
  sendContinue();
  if (coding !== null) {
    return readBytes(req, limit).then(async (bytes) =>
      decode(await decodeContent(bytes, coding, limit)),
    );
  }
  const wholeBody = readWhole(req);
  return wholeBody === null ? readBytes(req, limit).then(decode) : decode(wholeBody);
}

/** The content coding; null when there is none. */
function readContentCoding({ headers }: IncomingMessage, limit: BodyLimit): string | null {
  const isPlainJson = headers['content-type'] === 'application/json';
  if (isPlainJson && headers['content-encoding'] === undefined) return null;
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charsetParameter = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charsetParameter === undefined || /^charset="?utf-8"?$/.test(charsetParameter);
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const isJson = type.trim() === 'application/json' && isUtf8;
  if (isJson && coding === 'identity') return null;
  if (isJson && limit.isCompressible === true && isKnownCoding(coding)) return coding;
  throw new Fault(
    'unsupported_media_type',
    limit.isCompressible === true
      ? 'Send application/json in UTF-8, plain or as one of gzip, deflate, br and zstd.'
      : 'Send application/json in UTF-8, without a content coding.',
  );
}

/** Counts bytes as they arrive. Throws a Fault: payload_too_large, invalid_request. */
export function readBytes(req: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit.maxBytes) {
        req.off('data', onData);
        return reject(tooLargeFault(limit));
      }
      chunks.push(chunk);
    };
    req.on('data', onData);
    req.once('end', () => resolve(Buffer.concat(chunks)));
    const rejectTruncated = () => reject(new Fault('invalid_request', 'The body was cut off.'));
    req.once('error', rejectTruncated);
    req.once('aborted', rejectTruncated);
  });
}

/** The whole body when it has arrived already, which is the common case; otherwise null. */
function readWhole(req: IncomingMessage): Buffer | null {
  // `readableFlowing` is null until a listener or a pipe reads the stream.
  if (!req.complete || req.readableFlowing !== null || req.readableLength === 0) return null;
  return req.readableLength > MAX_SINGLE_READ_BYTES ? null : (req.read() as Buffer | null);
}

/** The maximum number of bytes that one read of the socket returns. */
const MAX_SINGLE_READ_BYTES = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Fault('invalid_request', 'The body is not UTF-8.', { cause });
  }
}

const tooLargeFault = (limit: BodyLimit) => new Fault('payload_too_large', limit.tooLarge);
