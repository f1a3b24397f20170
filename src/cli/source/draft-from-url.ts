// The definition of a feed from its address alone.
import { Fault } from '../../kernel/errors/fault.ts';
import type { SourceDefinition } from '../../radar/sources/source-settings.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A loopback address on the command line is intended. Only its exact host and port are opened, for
 * this source alone. A name that resolves there, a redirect or a link is refused, like every other
 * private address that the configuration does not open.
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
