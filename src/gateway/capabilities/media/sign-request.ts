// Signs one request, whose body is in memory, with AWS Signature Version 4. S3-compatible stores
// accept this signature.
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';

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
export async function signRequest(
  { method, url, headers, body }: UnsignedRequest,
  { accessKeyId, secretAccessKey, region }: SigningKey,
  now: number,
): Promise<Record<string, string>> {
  // Without its hash the library does not sign the body.
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': bodyHash },
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    datetime: new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, ''),
    allHeaders: true,
  });
  const signed = await signer.sign();
  return { ...Object.fromEntries(signed.headers), host: url.host };
}
