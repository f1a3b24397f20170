// Stores media in an S3-compatible store, over the guarded network, with bounded range requests.

import { Fault } from '../../../kernel/errors/fault.ts';
import type { NetRequest, NetResponse } from '../../../kernel/net/net.ts';
import type { World } from '../../../kernel/world.ts';
import type { MediaStoreConfig } from '../providers-config.ts';
import type { MediaBackend } from './media-backend.ts';
import { signRequest } from './sign-request.ts';

type S3Config = Extract<MediaStoreConfig, { kind: 's3' }>;

/** `prefix`: the folder in the bucket. */
export function s3Backend(world: World, config: S3Config, prefix = 'media/'): MediaBackend {
  const send = (request: S3Request) => sendSigned(world, config, request);
  const keyOf = (name: string) => `/${config.bucket}/${prefix}${name}`;
  return {
    put: async (name, bytes, mimeType) => {
      const headers = { 'content-type': mimeType };
      expectStatus(await send({ method: 'PUT', path: keyOf(name), body: bytes, headers }), [200]);
    },
    open: async (name) => {
      const headers = { range: 'bytes=0-63' };
      const response = await send({ method: 'GET', path: keyOf(name), headers });
      if (response.status === 404) return null;
      expectStatus(response, [200, 206]);
      const total = /\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1];
      return { byteLength: Number(total ?? response.body.length), head: response.body };
    },
    read: async (name, from, to) => {
      const headers = { range: `bytes=${from}-${to}` };
      const response = await send({ method: 'GET', path: keyOf(name), headers });
      expectStatus(response, [200, 206]);
      return response.status === 206 ? response.body : response.body.subarray(from, to + 1);
    },
    list: async function* () {
      let token: string | null = '';
      while (token !== null) {
        const query: Record<string, string> = { 'list-type': '2', prefix };
        if (token !== '') query['continuation-token'] = token;
        const page = await send({ method: 'GET', path: `/${config.bucket}`, query });
        expectStatus(page, [200]);
        const xml = new TextDecoder().decode(page.body);
        for (const [, key] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) {
          if (key?.startsWith(prefix)) yield key.slice(prefix.length);
        }
        token = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1] ?? null;
      }
    },
    remove: async (name) => {
      expectStatus(await send({ method: 'DELETE', path: keyOf(name) }), [200, 204, 404]);
    },
  };
}

type S3Request = {
  readonly method: NonNullable<NetRequest['method']>;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};

async function sendSigned(
  world: World,
  config: S3Config,
  request: S3Request,
): Promise<NetResponse> {
  const url = new URL(`${config.url}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {}))
    url.searchParams.set(name, value);
  const body = request.body ?? new Uint8Array();
  const signable = { method: request.method, url, headers: request.headers ?? {}, body };
  const outcome = await world.net.request({
    url: url.href,
    method: request.method,
    // A content encoding would change the bytes that a range counts.
    headers: {
      ...(await signRequest(signable, config, world.clock.now())),
      'accept-encoding': 'identity',
    },
    ...(request.body && { body: request.body }),
    timeoutMs: config.timeoutMs,
    maxBytes: 256 * 2 ** 20,
    maxRedirects: 0,
    isPolite: false,
    privateHosts: [url.host],
  });
  if (outcome.kind === 'response') return outcome;
  throw unavailableFault(outcome.message);
}

function expectStatus({ status }: NetResponse, expected: readonly number[]): void {
  if (!expected.includes(status)) throw unavailableFault(`the media store answered ${status}`);
}

function unavailableFault(internal: string): Fault {
  const message = 'The media store is not reachable. Try again soon.';
  return new Fault('temporarily_unavailable', message, { internal, retryAfterSeconds: 5 });
}
