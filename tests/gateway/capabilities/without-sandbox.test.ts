// Every live call returns the same response without the sandbox provider, and the response matches
// the OpenAPI document. Only calls in test mode fail without that provider.
import { expect, test } from 'vitest';
import { openUpstream } from '../../../demo/upstream/open-upstream.ts';
import type { Capability } from '../../../src/gateway/capabilities/capability.ts';
import { openCapabilities } from '../../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../../src/gateway/capabilities/providers-config.ts';
import { readGatewayContract } from '../../support/gateway-contract.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';
import { testWorld } from '../../support/test-world.ts';

const upstream = await openUpstream();
const noMedia = { store: async () => null, find: async () => null, deleteExpired: async () => 0 };
const capabilities = openCapabilities(
  testWorld().world,
  providersSchema.parse(upstream.config),
  noMedia,
);
const capabilitiesWithoutSandbox = capabilities.map(
  (capability): Capability => ({
    ...capability,
    sandbox: () => Promise.reject(new Error('the sandbox was removed')),
  }),
);
const fullGateway = await openTestGateway({ capabilities });
const gatewayWithoutSandbox = await openTestGateway({ capabilities: capabilitiesWithoutSandbox });

const contract = await readGatewayContract(fullGateway.origin);

const search = (keyword: string) => ({
  platform: 'douyin',
  action: 'search',
  params: { keyword, limit: 3 },
});
const bodies = [
  ['social', search('模型')],
  ['social', search('words without a match')],
  ['social', { platform: 'none', action: 'search', params: { keyword: 'x' } }],
  ['social', { ...search('x'), max_charge: '0.01' }],
  ['ocr', { image_urls: [] }],
  ['ocr', { image_urls: ['http://127.0.0.1:1/none.png', 'https://localhost:1/a.png'] }],
] as const;

test.each(bodies)('%s has the same response without the sandbox: %j', async (id, body) => {
  const [first, second] = [
    await fullGateway.call(id, body),
    await gatewayWithoutSandbox.call(id, body),
  ];
  const stableText = ({ text }: { text: string }) => text.replaceAll(/req_[0-9a-f]{24}/g, 'req');
  expect(stableText(second)).toBe(stableText(first));
  const path = `/api/v1/capabilities/${id}`;
  expect(contract.faultsOf({ method: 'POST', path }, first)).toEqual([]);
  expect(second.status).toBe(first.status);
});

test('a real search finds posts and costs the catalog’s price', async () => {
  const response = await gatewayWithoutSandbox.call('social', search('模型'));
  expect(json(response)).toMatchObject({
    data: { platform: 'douyin', keyword: '模型', posts: [{}, {}, {}] },
    charge: { total: '0.036' },
  });
  // The next test needs no provider.
  await upstream.close();
});

test('a call in test mode fails without the sandbox and is not charged', async () => {
  const response = await gatewayWithoutSandbox.call('social', search('x'), {
    key: gatewayWithoutSandbox.keys.skTest,
  });
  expect(problemIn(response)).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
  const account = json(
    await gatewayWithoutSandbox.readPath('/api/v1/account', gatewayWithoutSandbox.keys.skTest),
  );
  expect(account).toMatchObject({ free_quota: { remaining: '2' }, balance: { held: '0' } });
  const sandboxResponse = await fullGateway.call('social', search('x'), {
    key: fullGateway.keys.skTest,
  });
  expect(json(sandboxResponse)).toMatchObject({ livemode: false, charge: { total: '0.036' } });
});
