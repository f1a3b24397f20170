// Creates the definition of a feed from its address alone.
import { Fault } from '../../kernel/errors/fault.ts';
import type { SourceDefinition } from '../../radar/sources/source-settings.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * An operator may give a loopback address on the command line. This source may then request this
 * host and port. Redirects and links to other private addresses are still refused, as are names
 * that resolve to loopback, unless the configuration permits them.
 */
export function defineFeed(url: string): SourceDefinition {
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
