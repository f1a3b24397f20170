import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { advice } from '../../../src/gateway/api/routes/problem-page.ts';
import { codes } from '../../../src/kernel/errors/codes.ts';
import { ask, json } from '../../support/ask.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const { origin, ask: askGateway } = await openTestGateway();
const text = (await ask(origin, { path: '/openapi.json' })).text;
const document = JSON.parse(text) as {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; responses: object }>>;
};

test('two linters find nothing to say', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const redocly = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  expect(redocly.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [spectralRulesets.oas as RulesetDefinition], rules: {} });
  const spectral = await linter.run(text);
  expect(
    spectral.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`),
  ).toEqual([]);
});

test('every capability is there with its own request, which takes max_charge', () => {
  expect(document.openapi).toBe('3.1.0');
  const posts = Object.entries(document.paths).filter(([, { post }]) => post !== undefined);
  expect(posts.map(([path]) => path)).toEqual([
    '/api/v1/capabilities/paid',
    '/api/v1/capabilities/free',
    '/api/v1/capabilities/timed',
  ]);
  expect(JSON.parse(text).components.schemas.PaidRequest).toMatchObject({
    type: 'object',
    required: ['text'],
    properties: { max_charge: { type: 'string' } },
    additionalProperties: false,
  });
});

test('max_charge takes the amounts that the server takes', () => {
  const { components } = JSON.parse(text) as {
    components: { schemas: Record<string, { properties: Record<string, { pattern: string }> }> };
  };
  const pattern = new RegExp(components.schemas.PaidRequest?.properties.max_charge?.pattern ?? '');
  expect(['0', '0.05', '-1', '01'].map((one) => pattern.test(one))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('the page of each problem', () => {
  test.each(Object.keys(advice))('%s', async (code) => {
    const answer = await askGateway({ path: `/problems/${code.replaceAll('_', '-')}` });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const { title, status } = codes[code as keyof typeof codes];
    expect(answer.text).toContain(`<h1>${title}</h1>`);
    expect(answer.text).toContain(`HTTP status ${status}`);
  });

  test('there is none of what does not exist', async () => {
    for (const code of ['nothing', 'snapshot-required', 'constructor']) {
      expect((await askGateway({ path: `/problems/${code}` })).status).toBe(404);
    }
  });
});

test('health, readiness and metrics', async () => {
  expect(json(await askGateway({ path: '/healthz' }))).toEqual({ status: 'ok' });
  expect(json(await askGateway({ path: '/readyz' }))).toEqual({ status: 'ready' });
  const metrics = await askGateway({ path: '/metrics' });
  expect(metrics.headers['content-type']).toContain('text/plain');
  expect(metrics.text).toContain(
    'gateway_http_requests_total{route="/openapi.json",status="200"} 1',
  );
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  expect((await askGateway({ path: '/metrics', headers })).status).toBe(404);
});
