// Whether other machines reach an installation, by the addresses of its settings.
import { expect, test } from 'vitest';
import { isLocalOnly, publicHttpUrls, type ReachableConfig } from './reach.ts';

type Urls = Partial<Pick<ReachableConfig, 'host' | 'radarUrl' | 'gatewayUrl' | 'relayUrl'>>;

function configOf(urls: Urls, admin: ReachableConfig['file']['admin'] | object = {}) {
  const defaults = { networks: [], idleMinutes: 60, ...admin };
  return {
    host: '127.0.0.1',
    trustProxy: [],
    radarUrl: null,
    gatewayUrl: null,
    relayUrl: null,
    ...urls,
    file: { admin: defaults },
  };
}

test.each([
  ['no configured address', configOf({}), true, []],
  ['loopback addresses', configOf({ radarUrl: 'http://localhost:4000' }), true, []],
  ['a host of the network', configOf({ host: '192.0.2.7' }), false, ['http://192.0.2.7']],
  ['an https address', configOf({ radarUrl: 'https://radar.example' }), false, []],
  [
    'an http address',
    configOf({ gatewayUrl: 'http://gateway.example' }),
    false,
    ['http://gateway.example'],
  ],
  ['an address of an admin area', configOf({}, { radarUrl: 'https://admin.example' }), false, []],
  [
    'a plain http address of an admin area',
    configOf({}, { gatewayUrl: 'http://admin.example' }),
    false,
    ['http://admin.example'],
  ],
])('finds whether other machines reach an installation with %s', (_name, config, isLocal, urls) => {
  expect([isLocalOnly(config), publicHttpUrls(config)]).toEqual([isLocal, urls]);
});
