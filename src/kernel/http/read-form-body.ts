// Reads a submitted form of bounded size, and cookies.
import type { IncomingMessage } from 'node:http';
import { Fault } from '../errors/fault.ts';
import { type BodyLimit, readBytes } from './read-json-body.ts';

/** Throws a Fault: unsupported_media_type, payload_too_large, invalid_request. */
export async function readFormBody(
  req: IncomingMessage,
  limit: BodyLimit,
): Promise<URLSearchParams> {
  const [type = ''] = (req.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw new Fault('unsupported_media_type', 'Send the form as a browser does.', {
      inChinese: '请像浏览器那样发送表单。',
    });
  }
  // Browsers do not send U+0000, and PostgreSQL cannot store it in a text.
  const formText = (await readBytes(req, limit)).toString().replaceAll(/%00|\0/g, '');
  return new URLSearchParams(formText);
}

/** The first cookie with this name (RFC 6265, 5.4); null when it is absent. */
export function readCookie({ headers }: Pick<IncomingMessage, 'headers'>, name: string) {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const index = pair.indexOf('=');
    if (index !== -1 && pair.slice(0, index).trim() === name) return pair.slice(index + 1).trim();
  }
  return null;
}
