// Connects to a checked address. This file resolves the host name and connects only to the
// addresses that it has checked, so a later DNS change has no effect.
import net, { isIP, type LookupFunction } from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';
import { messageOf } from '../errors/fault.ts';
import { type EgressProxy, openTunnel } from './egress-proxy.ts';
import type { NetFailure } from './net.ts';
import { type PrivateHosts, plainHostname } from './private-hosts.ts';
import { resolveProxiedTarget } from './proxied-target.ts';
import { type Lookup, resolveHost } from './resolve-host.ts';

export type ConnectFailure = Pick<NetFailure, 'reason' | 'message'>;

export type GuardedConnect = {
  /** undici's `connect`. */
  readonly connect: buildConnector.connector;
  /** The reason of the failure, after `connect` has passed an error to its callback. */
  failure(): ConnectFailure | null;
};

/**
 * A connector for one exchange with `url`. `signal` aborts the connection at any stage, including
 * name resolution.
 */
export function guardedConnect(
  url: URL,
  options: {
    readonly lookup: Lookup;
    readonly allowedPrivateHosts: PrivateHosts;
    readonly signal: AbortSignal;
    /** Null or absent: a direct connection. */
    readonly proxy?: EgressProxy | null;
  },
): GuardedConnect {
  let failure: ConnectFailure | null = null;
  const { lookup, allowedPrivateHosts, signal, proxy = null } = options;
  const isSecure = url.protocol === 'https:';
  const target = { hostname: url.hostname, port: Number(url.port || (isSecure ? 443 : 80)) };

  const connect: buildConnector.connector = async (_options, callback) => {
    const fail = (connectFailure: ConnectFailure) => {
      failure ??= connectFailure;
      callback(new Error(failure.message), null);
    };
    if (proxy !== null) {
      const tunnel = await proxiedSocket(proxy, target, isSecure, {
        lookup,
        allowedPrivateHosts,
        signal,
      });
      return tunnel.kind === 'failed' ? fail(tunnel) : callback(null, tunnel.socket);
    }
    // A DNS query cannot be cancelled; a result after the abort is ignored.
    const resolved = await Promise.race([
      resolveHost(lookup, allowedPrivateHosts, target),
      failureOnAbort(signal),
    ]);
    if (resolved.kind === 'failed') return fail(resolved);
    if (signal.aborted) return fail(await failureOnAbort(signal));
    const socket = openSocket(target, isSecure, resolved.addresses);
    const onAbort = () => socket.destroy(new Error('aborted while connecting'));
    signal.addEventListener('abort', onAbort, { once: true });
    const handshake = new Promise<void>((resolve, reject) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', resolve).once('error', reject);
    });
    await handshake.then(
      () => callback(null, socket),
      (error) => fail({ reason: failureReasonOf(error, isSecure), message: messageOf(error) }),
    );
    signal.removeEventListener('abort', onAbort);
  };
  return { connect, failure: () => failure };
}

type ProxiedSocket =
  | { readonly kind: 'socket'; readonly socket: net.Socket }
  | ({ readonly kind: 'failed' } & ConnectFailure);

/**
 * TLS runs inside the tunnel with the target; the proxy sees only the target's address and
 * encrypted bytes.
 */
async function proxiedSocket(
  proxy: EgressProxy,
  target: { readonly hostname: string; readonly port: number },
  isSecure: boolean,
  options: {
    readonly lookup: Lookup;
    readonly allowedPrivateHosts: PrivateHosts;
    readonly signal: AbortSignal;
  },
): Promise<ProxiedSocket> {
  const { lookup, allowedPrivateHosts, signal } = options;
  const targetResult = await Promise.race([
    resolveProxiedTarget(proxy, lookup, allowedPrivateHosts, target),
    failureOnAbort(signal),
  ]);
  if (targetResult.kind === 'failed') return targetResult;
  const toFailure = (reason: 'connect' | 'tls', error: unknown): ProxiedSocket => ({
    kind: 'failed',
    reason,
    message: messageOf(error),
  });
  let socket: net.Socket;
  try {
    socket = await openTunnel(proxy, { host: targetResult.host, port: target.port }, signal);
  } catch (error) {
    return toFailure('connect', error);
  }
  if (!isSecure) return { kind: 'socket', socket };
  const host = plainHostname(target.hostname);
  const secureSocket = tls.connect({
    socket,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
  });
  const onAbort = () => secureSocket.destroy(new Error('aborted while connecting'));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      secureSocket.once('secureConnect', resolve).once('error', reject);
    });
    return { kind: 'socket', socket: secureSocket };
  } catch (error) {
    secureSocket.destroy();
    return toFailure('tls', error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function failureOnAbort(
  signal: AbortSignal,
): Promise<{ readonly kind: 'failed' } & ConnectFailure> {
  const failure = {
    kind: 'failed',
    reason: 'aborted',
    message: 'aborted while resolving',
  } as const;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(failure);
    signal.addEventListener('abort', () => resolve(failure), { once: true });
  });
}

function openSocket(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  isSecure: boolean,
  addresses: readonly string[],
): net.Socket {
  const host = plainHostname(hostname);
  const lookupResult = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, _options, callback) => callback(null, lookupResult);
  // Addresses are tried in sequence. Node aborts an attempt before it starts the next attempt, so
  // the 250 ms of RFC 8305 would abort every attempt at a distant server.
  const sequentialAttempts = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 };
  const commonOptions = { host, port, lookup, ...sequentialAttempts, noDelay: true };
  if (!isSecure) return net.connect(commonOptions);
  return tls.connect({
    ...commonOptions,
    ALPNProtocols: ['http/1.1'],
    // RFC 6066, section 3: address literals are not server names.
    ...(isIP(host) === 0 && { servername: host }),
  });
}

const unreachableCodes = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL'],
  ...['EHOSTDOWN', 'ENETDOWN', 'EACCES', 'EPERM', 'EINVAL', 'EMFILE', 'ENFILE'],
]);

/** On https, every failure after the address was reached is a failure of the handshake. */
function failureReasonOf(error: unknown, isSecure: boolean): 'connect' | 'tls' {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isSecure && !unreachableCodes.has(code) && !(error instanceof AggregateError)
    ? 'tls'
    : 'connect';
}
