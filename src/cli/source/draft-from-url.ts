// A feed from nothing but its address, as an operator types it.
import { Fault } from '../../kernel/errors/fault.ts';
import type { SourceDefinition } from '../../radar/sources/source-settings.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A loopback address typed at the shell of this machine is meant: exactly that host and port are
 * opened, for this source alone. A name that resolves there, a redirect or a link is still
 * refused, and so is every other private address unless the configuration opens it.
 */
export function feedAt(url: string): SourceDefinition {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Fault('invalid_request', `${url} is not an http or https address.`);
  }
  const { hostname, host } = new URL(url);
  return {
    id: 'preview',
    kind: 'feed',
    name: host,
    owner: host,
    tier: 'T2',
    language: 'en',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: { url },
    ...(loopback.test(hostname) && { privateHosts: [host] }),
  };
}
