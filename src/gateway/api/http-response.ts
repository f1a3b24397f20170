// Defines the types of the gateway's requests and responses, without sockets. Creates common
// responses.

import type { ClientIdentity } from '../../kernel/client-address/client-address.ts';
import { weakEtag } from '../../kernel/http/etag.ts';
import type { BodyLimit } from '../../kernel/http/read-json-body.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { KnownLimits } from '../calls/admit.ts';

export type GatewayResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** With an iterable, `headers` has the content-length. */
  readonly body: string | Buffer | AsyncIterable<Uint8Array>;
};

/** Input of a handler: the parsed request line and headers. */
export type ApiRequest = {
  /** `req_…`, for the response header and the problem. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The raw query without its question mark. */
  readonly query: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly client: ClientIdentity;
  /** The endpoint adds the limits of the caller, for the response headers. */
  readonly knownLimits: KnownLimits;
  /** Reads and parses the body. */
  readJson(): Promise<unknown>;
  /** The raw body. `limit` absent: the limit of capability calls. */
  readBytes(limit?: BodyLimit): Promise<Buffer>;
};

export const JSON_TYPE = 'application/json; charset=utf-8';
export const NO_STORE = 'no-store';
const CACHE_FOR_A_MINUTE = 'public, max-age=60, s-maxage=60';

/** A response for one account only, which no cache may store. */
export function privateJson(body: object): GatewayResponse {
  const headers = { 'content-type': JSON_TYPE, 'cache-control': NO_STORE };
  return { status: 200, headers, body: JSON.stringify(body) };
}

/** Public response: cached for one minute, then revalidated with its ETag. */
export function publicResponse(body: string, contentType = JSON_TYPE): GatewayResponse {
  const headers = {
    'content-type': contentType,
    'cache-control': CACHE_FOR_A_MINUTE,
    etag: weakEtag(body),
  };
  return { status: 200, headers, body };
}

/** A request header as one string; Node's list of a repeated header is joined with commas. */
export function oneHeader(
  { headers }: Pick<ApiRequest, 'headers'>,
  name: string,
): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

export const wireTimeOrNull = (at: number | null) => (at === null ? null : toWireTime(at));
