import { describe, expect, test } from 'vitest';
import type { Capability } from '../../../src/gateway/capabilities/capability.ts';
import { readGatewayContract } from '../../support/gateway-contract.ts';
import { json } from '../../support/http-request.ts';
import { testCapability } from '../../support/test-capability.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const ids = ['social', 'transcribe', 'ocr', 'svc-image', 'svc-video', 'search'];
const testCapabilities = ids.map((id) => ({
  id,
  test: testCapability({
    id,
    sku: null,
    key: id === 'search' ? 'ak' : 'sk',
    method: id === 'search' ? 'GET' : 'POST',
  }),
}));
const gateway = await openTestGateway({
  capabilities: testCapabilities.map(({ test: { capability } }) => capability as Capability),
});
const contract = await readGatewayContract(gateway.origin);

describe.each(['/capabilities/catalog', '/api/v1/capabilities/catalog'])('%s', (path) => {
  test('has the specified figures: four SKUs, three buckets, 200 fen a day', async () => {
    const response = await gateway.sendRequest({ path });
    expect(contract.faultsOf({ path }, response)).toEqual([]);
    const { buckets, skus, capabilities, integrations, ...otherFields } = json(response) as {
      buckets: Record<string, unknown>[];
      skus: Record<string, unknown>[];
      capabilities: Record<string, unknown>[];
      integrations: Record<string, unknown>[];
    };
    expect(otherFields).toEqual({
      version: 1,
      currency: 'CNY',
      free_quota: {
        summary: expect.any(String),
        cents: 200,
        period: 'daily',
        display: '¥2.00 / day',
      },
    });
    expect(buckets.map(({ id, wallet_debit }) => [id, wallet_debit])).toEqual([
      ['free_sdk', false],
      ['free_promo_svc', false],
      ['paid_relay', true],
    ]);
    const words = { name: expect.any(String), summary: expect.any(String) };
    expect(skus).toEqual([
      {
        id: 'social_data',
        ...words,
        bucket: 'paid_relay',
        unit: 'per_call',
        priced: true,
        endpoint: 'POST /api/v1/capabilities/social',
        actions: ['content', 'search'],
        price_cents_per_1000: 3600,
        price_per_1000: '¥36.00',
        price_cents: 4,
        price: '¥0.036',
      },
      {
        id: 'transcribe',
        ...words,
        bucket: 'paid_relay',
        unit: 'per_minute',
        priced: true,
        endpoint: 'POST /api/v1/capabilities/transcribe',
        price_cents_per_minute: 6,
        price_per_minute: '¥0.06',
        billing_increment_seconds: 1,
      },
      {
        id: 'svc_image',
        ...words,
        bucket: 'free_promo_svc',
        unit: 'per_call',
        endpoint: 'POST /api/v1/capabilities/svc-image',
        priced: false,
        price_cents: 0,
        price: '¥0.00',
      },
      {
        id: 'ocr',
        ...words,
        bucket: 'free_sdk',
        unit: 'per_call',
        priced: false,
        endpoint: 'POST /api/v1/capabilities/ocr',
        price_cents: 0,
        price: '¥0.00',
      },
    ]);
    expect(
      capabilities.map((capability) => [
        capability.id,
        capability.availability,
        capability.key,
        capability.sku,
      ]),
    ).toEqual([
      ['social', 'live', 'sk', 'social_data'],
      ['transcribe', 'live', 'sk', 'transcribe'],
      ['ocr', 'live', 'sk', 'ocr'],
      ['svc-image', 'live', 'sk', 'svc_image'],
      ['svc-video', 'live', 'sk', null],
      ['chat', 'coming_soon', 'ak', null],
      ['search', 'live', 'ak', null],
      ['text-llm', 'coming_soon', 'sk', null],
    ]);
    expect(integrations.map(({ id }) => id)).toEqual(['sdk', 'mcp', 'skill']);
  });

  test('is cached for one minute and then revalidated by its ETag', async () => {
    const { headers } = await gateway.sendRequest({ path });
    expect(headers['cache-control']).toBe('public, max-age=60, s-maxage=60');
    const conditional = { 'if-none-match': String(headers.etag) };
    const repeatedResponse = await gateway.sendRequest({ path, headers: conditional });
    expect(repeatedResponse.status).toBe(304);
    expect(repeatedResponse.bytes).toHaveLength(0);
    expect(repeatedResponse.headers.etag).toBe(headers.etag);
    expect(contract.faultsOf({ path }, repeatedResponse)).toEqual([]);
    const headResponse = await gateway.sendRequest({ path, method: 'HEAD' });
    expect(headResponse).toMatchObject({ status: 200, text: '' });
    const response = await gateway.sendRequest({ path: `${path}?x=1` });
    expect(response.status).toBe(400);
  });
});

test('an unconfigured capability is coming soon and unhealthy, with the reason', async () => {
  const readCatalog = async () => {
    const { capabilities } = json(await gateway.sendRequest({ path: '/capabilities/catalog' })) as {
      capabilities: Record<string, unknown>[];
    };
    return capabilities.find(({ id }) => id === 'ocr');
  };
  const ocr = testCapabilities.find(({ id }) => id === 'ocr');
  expect(await readCatalog()).toMatchObject({
    availability: 'live',
    configured: true,
    healthy: true,
    reason: null,
  });
  ocr?.test.setMissing('apt-get install tesseract-ocr');
  expect(await readCatalog()).toMatchObject({
    availability: 'coming_soon',
    configured: false,
    healthy: false,
    reason: 'Not offered on this service yet.',
  });
  ocr?.test.setMissing(null);
});

test('lists eleven platforms with aliases and actions', async () => {
  const path = '/api/v1/capabilities/social/platforms';
  const response = await gateway.sendRequest({ path });
  expect(contract.faultsOf({ path }, response)).toEqual([]);
  const { platforms } = json(response) as { platforms: { id: string; aliases: string[] }[] };
  expect(platforms.map(({ id, aliases }) => [id, ...aliases].join(' '))).toEqual([
    'douyin dy',
    'xiaohongshu xhs',
    'kuaishou ks',
    'bilibili bili',
    'weibo wb',
    'zhihu',
    'wechat_channels channels',
    'tiktok tt',
    'youtube yt',
    'twitter x',
    'instagram ig',
  ]);
});
