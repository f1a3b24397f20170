// Chooses the target that is sent to a proxy. With `nameResolution: 'here'` the proxy receives an
// address that this process has checked. With `nameResolution: 'there'` the proxy receives the
// name, after the checks that need no resolution.
import { isIP } from 'node:net';
import { findRefusal } from './address-rules.ts';
import type { EgressProxy } from './egress-proxy.ts';
import type { NetFailure } from './net.ts';
import { type PrivateHosts, plainHostname } from './private-hosts.ts';
import { type Lookup, resolveHost } from './resolve-host.ts';

export type ProxiedTarget =
  | { readonly kind: 'target'; readonly host: string }
  | ({ readonly kind: 'failed' } & Pick<NetFailure, 'reason' | 'message'>);

const privateName = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/i;

export async function resolveProxiedTarget(
  { nameResolution }: Pick<EgressProxy, 'nameResolution'>,
  lookup: Lookup,
  hosts: PrivateHosts,
  target: { readonly hostname: string; readonly port: number },
): Promise<ProxiedTarget> {
  const name = plainHostname(target.hostname);
  if (nameResolution === 'here' || isIP(name) !== 0) {
    const resolved = await resolveHost(lookup, hosts, target);
    return resolved.kind === 'failed'
      ? resolved
      : { kind: 'target', host: resolved.addresses[0] ?? name };
  }
  if (hosts.isHostAllowed(name, target.port)) return { kind: 'target', host: name };
  const refuse = (reason: string): ProxiedTarget => ({
    kind: 'failed',
    reason: 'address_refused',
    message: `${name}: ${reason}`,
  });
  if (!name.includes('.') || privateName.test(name)) return refuse('a name of a private network');
  // A name need not resolve in this network. If it resolves to a private address, it is refused.
  const addresses = await lookup(name).catch(() => []);
  for (const address of addresses) {
    const refusal = findRefusal(address);
    if (refusal !== null && !hosts.isAddressAllowed(address)) {
      return refuse(`resolves here to ${address}: ${refusal}`);
    }
  }
  return { kind: 'target', host: name };
}
