import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { describeGateway } from '../../../src/gateway/api/openapi/describe-gateway.ts';
import { advice } from '../../../src/gateway/api/routes/problem-page.ts';
import { routesOf } from '../../../src/gateway/api/routes.ts';
import { allDialects } from '../../../src/gateway/relay/dialects/all-dialects.ts';
import { codes } from '../../../src/kernel/errors/codes.ts';
import { openTestRelay } from '../../relay/test-relay.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const { origin, sendRequest: sendToGateway } = await openTestGateway();
const text = (await sendRequest(origin, { path: '/openapi.json' })).text;
const document = JSON.parse(text) as {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; responses: object }>>;
};

const relay = await openTestRelay();
const relayText = (await relay.send({ path: '/openapi.json' })).text;

test.each([
  ['gateway', text],
  ['relay', relayText],
])('two linters accept the document of the %s', async (_name, text) => {
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

test('describes exactly the addresses of the API with their methods', () => {
  const undescribed = ['/media/{token}', '/webhooks/stripe', '/SKILL.md', '/sdk', '/sdk/{file}'];
  const servedPaths = routesOf({ capabilities: [] })
    .map(({ path, methods }) => ({
      path: path.replaceAll(/:(\w+)/g, '{$1}').replace('{requestId}', '{request_id}'),
      methods: Object.keys(methods).map((name) => name.toLowerCase()),
    }))
    .filter(({ path }) => !undescribed.includes(path) && path !== '/problems/{code}');
  const describedPaths = Object.entries(document.paths)
    .filter(([path]) => !/^\/relay\/|^\/api\/v1\/capabilities\/(paid|free|timed|agent)$/.test(path))
    .map(([path, item]) => ({ path, methods: Object.keys(item) }));
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  expect(describedPaths.sort(byPath)).toEqual(servedPaths.sort(byPath));
});

test('describes the relay on its own port and in the gateway’s document', async () => {
  const relayDocument = JSON.parse(relayText) as typeof document;
  const dialects = allDialects.map(({ path }) => `/relay/v1${path}`);
  const reads = ['/relay/v1/messages/count_tokens', '/relay/v1/models', '/relay/v1/models/{model}'];
  const paths = Object.keys(relayDocument.paths).filter((path) => path.startsWith('/relay/'));
  expect(paths.sort()).toEqual([...dialects, ...reads].sort());
  const site = { url: 'https://gateway.example', name: 'A', relayUrl: 'https://relay.example' };
  const otherDocument = describeGateway({ site, capabilities: [] }) as typeof document;
  for (const path of paths) {
    expect(document.paths[path]).toEqual(relayDocument.paths[path]);
    const servers = [{ url: 'https://relay.example' }];
    expect(JSON.parse(JSON.stringify(otherDocument.paths[path]))).toEqual({
      servers,
      ...relayDocument.paths[path],
    });
  }
  const { etag } = (await relay.send({ path: '/openapi.json' })).headers;
  const conditional = { 'if-none-match': String(etag) };
  expect((await relay.send({ path: '/openapi.json', headers: conditional })).status).toBe(304);
});

test('responses and errors of the relay match their schemas', async () => {
  const { components } = JSON.parse(relayText) as {
    components: { schemas: Record<string, object> };
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...JSON.parse(relayText), $id: 'relay' });
  const faultsOf = (name: string, body: string) => {
    expect(Object.keys(components.schemas)).toContain(name);
    const validate = ajv.compile({ $ref: `relay#/components/schemas/${name}` });
    return validate(JSON.parse(body)) ? [] : validate.errors;
  };
  const headers = { authorization: `Bearer ${relay.keys.akTest}` };
  const messages = [{ role: 'user', content: 'Hi' }];
  const requests: Record<string, object> = {
    chat: { messages },
    responses: { input: 'Hi' },
    messages: { messages, max_tokens: 10 },
    embeddings: { input: 'Hi' },
  };
  for (const { name, path } of allDialects) {
    const schema = `Relay${name[0]?.toUpperCase()}${name.slice(1)}`;
    const body = JSON.stringify({ model: 'sandbox', ...requests[name] });
    expect(faultsOf(`${schema}Request`, body)).toEqual([]);
    const post = (text: string) =>
      relay.send({
        method: 'POST',
        path: `/relay/v1${path}`,
        headers: { ...headers, 'content-type': 'application/json' },
        body: text,
      });
    const response = await post(body);
    expect([name, response.status, faultsOf(`${schema}Answer`, response.text)]).toEqual([
      name,
      200,
      [],
    ]);
    const form = name === 'messages' ? 'RelayMessagesError' : 'RelayError';
    const refusal = await post('{}');
    expect([refusal.status, faultsOf(form, refusal.text)]).toEqual([400, []]);
  }
  const models = await relay.send({ path: '/relay/v1/models', headers });
  expect(faultsOf('RelayModels', models.text)).toEqual([]);
});

test('describes every capability with its request and max_charge', () => {
  expect(document.openapi).toBe('3.1.0');
  const posts = Object.entries(document.paths).filter(
    ([path, { post }]) => post !== undefined && path.startsWith('/api/v1/capabilities'),
  );
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

test('describes the bounds and the default of a number in a query', () => {
  const { paths } = JSON.parse(text) as {
    paths: Record<string, { get: { parameters: { name: string; schema: object }[] } }>;
  };
  const parameters = paths['/api/v1/calls']?.get.parameters ?? [];
  expect(parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
  });
});

test('the schema of max_charge accepts the same values as the server', () => {
  const { components } = JSON.parse(text) as {
    components: { schemas: Record<string, { properties: Record<string, { pattern: string }> }> };
  };
  const pattern = new RegExp(components.schemas.PaidRequest?.properties.max_charge?.pattern ?? '');
  expect(['0', '0.05', '-1', '01'].map((amount) => pattern.test(amount))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('the page of each problem type', () => {
  test.each(Object.keys(advice))('%s', async (code) => {
    const response = await sendToGateway({ path: `/problems/${code.replaceAll('_', '-')}` });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    const { title, status } = codes[code as keyof typeof codes];
    expect(response.text).toContain(`<h1>${title}</h1>`);
    expect(response.text).toContain(`HTTP status ${status}`);
  });

  test('is 404 for an unknown type', async () => {
    for (const code of ['nothing', 'snapshot-required', 'constructor']) {
      expect((await sendToGateway({ path: `/problems/${code}` })).status).toBe(404);
    }
  });
});

test('serves health, readiness and metrics', async () => {
  expect(json(await sendToGateway({ path: '/healthz' }))).toEqual({ status: 'ok' });
  expect(json(await sendToGateway({ path: '/readyz' }))).toEqual({ status: 'ready' });
  const metrics = await sendToGateway({ path: '/metrics' });
  expect(metrics.headers['content-type']).toContain('text/plain');
  expect(metrics.text).toContain(
    'gateway_http_requests_total{route="/openapi.json",status="200"} 1',
  );
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  expect((await sendToGateway({ path: '/metrics', headers })).status).toBe(404);
});
