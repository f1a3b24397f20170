// Sends one request and reads its response over a new connection. Connections are not reused, so
// each request is resolved and checked again, and a closed idle socket cannot fail a GET.
import { Client, type Dispatcher } from 'undici';
import { messageOf } from '../errors/fault.ts';
import type { EgressProxy } from './egress-proxy.ts';
import { type ConnectFailure, guardedConnect } from './guarded-connect.ts';
import type { PrivateHosts } from './private-hosts.ts';
import { type Hop, isRedirect } from './redirects.ts';
import type { Lookup } from './resolve-host.ts';

/** Bytes of a response's status line and header fields together. */
const maxHeaderBytes = 64 * 1024;

export type RawResponse = {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as received, before decoding; empty for a redirect that will be followed. */
  readonly wire: Uint8Array;
};

export type ExchangeFailure = { readonly kind: 'failed' } & ConnectFailure;

export type ExchangeLimits = {
  readonly lookup: Lookup;
  readonly allowedPrivateHosts: PrivateHosts;
  /** Limit of the body as received. */
  readonly maxBytes: number;
  /** Redirects will be followed, so their bodies are not read. */
  readonly skipsRedirects: boolean;
  readonly signal: AbortSignal;
  /** Null: a direct connection. */
  readonly proxy: EgressProxy | null;
};

/** Sends `hop` and reads the whole response. Every failure is a value. */
export async function exchange(
  hop: Hop,
  limits: ExchangeLimits,
): Promise<RawResponse | ExchangeFailure> {
  const guard = guardedConnect(hop.url, limits);
  let client: Client | null = null;
  try {
    client = new Client(hop.url.origin, {
      connect: guard.connect,
      maxHeaderSize: maxHeaderBytes,
      // The request has its own deadline; undici's timeouts use real time instead of the World's
      // clock.
      headersTimeout: 0,
      bodyTimeout: 0,
      useMilo: false,
    });
    const response = await client.request({
      path: hop.url.pathname + hop.url.search,
      method: hop.method,
      headers: hop.headers,
      body: hop.body,
      signal: limits.signal,
      reset: true,
    });
    return await readResponse(hop, response, limits);
  } catch (error) {
    return { kind: 'failed', ...(guard.failure() ?? toFailureReason(error)) };
  } finally {
    // Not awaited, because the response must not depend on how the connection closes.
    client?.destroy().catch(() => {});
  }
}

async function readResponse(
  hop: Hop,
  response: Dispatcher.ResponseData,
  { maxBytes, skipsRedirects }: ExchangeLimits,
): Promise<RawResponse | ExchangeFailure> {
  const status = response.statusCode;
  const headers = joinHeaders(response.headers);
  const tooLarge: ExchangeFailure = {
    kind: 'failed',
    reason: 'too_large',
    message: `more than ${maxBytes} bytes`,
  };
  const discardBody = () => response.body.on('error', () => {}).destroy();
  if (skipsRedirects && isRedirect(status, headers.location)) {
    discardBody();
    return { kind: 'response', status, headers, wire: new Uint8Array() };
  }
  const hasBody = hop.method !== 'HEAD' && status !== 304;
  if (hasBody && Number(headers['content-length'] ?? 0) > maxBytes) {
    discardBody();
    return tooLarge;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) return tooLarge;
    chunks.push(chunk);
  }
  return { kind: 'response', status, headers, wire: Buffer.concat(chunks, size) };
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

/** The reason of a failure after the connection was established. */
function toFailureReason(error: unknown): ConnectFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = messageOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { reason: 'too_large', message: `header of more than ${maxHeaderBytes} bytes` };
  }
  // In TLS 1.3 a server may refuse the handshake after the client considers it complete.
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return { reason: 'tls', message };
  return { reason: 'protocol', message };
}
