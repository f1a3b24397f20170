// The target that is sent to a proxy. With `resolve: 'here'` it receives an address that this
// process has checked. With `resolve: 'there'` it receives the name, after the checks that need no
// resolution.
import { isIP } from 'node:net';
import { refusalOf } from './address-rules.ts';
import type { EgressProxy } from './egress-proxy.ts';
import type { NetFailure } from './net.ts';
import { type PrivateHosts, plainHostname } from './private-hosts.ts';
import { type Lookup, resolveHost } from './resolve-host.ts';

export type ProxiedTarget =
  | { readonly kind: 'target'; readonly host: string }
  | ({ readonly kind: 'failed' } & Pick<NetFailure, 'reason' | 'message'>);

const privateName = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/i;

export async function proxiedTarget(
  { resolve }: Pick<EgressProxy, 'resolve'>,
  lookup: Lookup,
  hosts: PrivateHosts,
  target: { readonly hostname: string; readonly port: number },
): Promise<ProxiedTarget> {
  const name = plainHostname(target.hostname);
  if (resolve === 'here' || isIP(name) !== 0) {
    const resolved = await resolveHost(lookup, hosts, target);
    return resolved.kind === 'failed'
      ? resolved
      : { kind: 'target', host: resolved.addresses[0] ?? name };
  }
  if (hosts.opensHost(name, target.port)) return { kind: 'target', host: name };
  const refuse = (reason: string): ProxiedTarget => ({
    kind: 'failed',
    reason: 'address_refused',
    message: `${name}: ${reason}`,
  });
  if (!name.includes('.') || privateName.test(name)) return refuse('a name of a private network');
  // Names may not resolve in this network. A private address is refused all the same.
  const addresses = await lookup(name).catch(() => []);
  for (const address of addresses) {
    const refusal = refusalOf(address);
    if (refusal !== null && !hosts.opensAddress(address)) {
      return refuse(`resolves here to ${address}: ${refusal}`);
    }
  }
  return { kind: 'target', host: name };
}
