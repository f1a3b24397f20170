// An S3-compatible store in memory. It checks every signature by signing the request itself, serves
// ranges, and lists in pages of two.
import { createHash } from 'node:crypto';
import {
  openServer,
  type Reply,
  type UpstreamRequest,
  type UpstreamServer,
} from '../../demo/upstream/server.ts';
import { signRequest } from '../../src/gateway/capabilities/media/sign-request.ts';

export const s3Key = {
  accessKeyId: 'AKIADEMO',
  secretAccessKey: 'demo-secret-access-key',
  region: 'cn-north-1',
};

const bucket = '/radar-media';

export type S3Server = UpstreamServer & { readonly objects: Map<string, Buffer> };

export async function openS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const server = await openServer(async (request) =>
    (await isSigned(request))
      ? respond(objects, request)
      : { status: 403, headers: {}, body: 'Signature' },
  );
  return { ...server, objects };
}

async function isSigned(request: UpstreamRequest): Promise<boolean> {
  const { method, path, query, headers, body } = request;
  const { authorization = '' } = headers;
  const names = /SignedHeaders=([\w;-]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const requiredHeaders = ['host', 'x-amz-date', 'x-amz-content-sha256'];
  const sentHeaders = names.filter((name) => !requiredHeaders.includes(name));
  const url = new URL(`http://${headers.host}${path}?${query}`);
  const stamp = String(headers['x-amz-date']);
  const now = Date.parse(stamp.replace(/^(\d{4})(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const signable = {
    method,
    url,
    body,
    headers: Object.fromEntries(sentHeaders.map((name) => [name, String(headers[name])])),
  };
  const hash = createHash('sha256').update(body).digest('hex');
  const { authorization: expected } = await signRequest(signable, s3Key, now);
  return expected === authorization && headers['x-amz-content-sha256'] === hash;
}

function respond(
  objects: Map<string, Buffer>,
  { method, path, query, headers, body }: UpstreamRequest,
): Reply {
  if (path === bucket && query.get('list-type') === '2') return listObjects(objects, query);
  const key = path.slice(bucket.length + 1);
  if (method === 'PUT') {
    objects.set(key, body);
    return { status: 200, headers: {}, body: '' };
  }
  const object = objects.get(key);
  if (method === 'DELETE') {
    objects.delete(key);
    return { status: 204, headers: {}, body: '' };
  }
  if (!object) return { status: 404, headers: {}, body: '<Code>NoSuchKey</Code>' };
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
  if (!range) return { status: 200, headers: {}, body: object };
  const [firstByte, lastByte] = [Number(range[1]), Math.min(Number(range[2]), object.length - 1)];
  const content = { 'content-range': `bytes ${firstByte}-${lastByte}/${object.length}` };
  return { status: 206, headers: content, body: object.subarray(firstByte, lastByte + 1) };
}

function listObjects(objects: Map<string, Buffer>, query: URLSearchParams): Reply {
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? ''));
  const startAfter = query.get('continuation-token') ?? '';
  const remainingKeys = keys.toSorted().filter((key) => key > startAfter);
  const page = remainingKeys.slice(0, 2);
  const nextToken =
    remainingKeys.length > 2 ? `<NextContinuationToken>${page[1]}</NextContinuationToken>` : '';
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  return {
    status: 200,
    headers: {},
    body: `<ListBucketResult>${contents}${nextToken}</ListBucketResult>`,
  };
}
