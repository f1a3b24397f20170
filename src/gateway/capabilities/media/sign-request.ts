// AWS Signature Version 4 for one request with its body in memory, as in the S3 documentation
// ("Signature Calculations for the Authorization Header"). S3-compatible stores accept the same.
import { createHash, createHmac } from 'node:crypto';

export type UnsignedRequest = {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names; all of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type SigningKey = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
};

/** The headers to send, `authorization` among them. `now`: epoch milliseconds. */
export function signRequest(
  { method, url, headers, body }: UnsignedRequest,
  { accessKeyId, secretAccessKey, region }: SigningKey,
  now: number,
): Record<string, string> {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const bodyHash = sha256(body);
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': stamp,
  };
  const names = Object.keys(signed).toSorted();
  const canonical = [
    method,
    url.pathname.split('/').map(encodeSegment).join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${strict(name)}=${strict(value)}`)
      .toSorted()
      .join('&'),
    ...names.map((name) => `${name}:${(signed[name] ?? '').trim()}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  const parts = [
    `Credential=${accessKeyId}/${scope}`,
    `SignedHeaders=${names.join(';')}`,
    `Signature=${signature}`,
  ];
  return { ...signed, authorization: `AWS4-HMAC-SHA256 ${parts.join(', ')}` };
}

function sha256(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}

function hmac(key: string | Buffer, value: string): Buffer {
  return createHmac('sha256', key).update(value).digest();
}

/** RFC 3986: everything but the unreserved characters. */
function strict(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function encodeSegment(segment: string): string {
  return strict(decodeURIComponent(segment));
}
