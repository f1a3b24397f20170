// The OpenAPI document of the radar: two linters accept it, and it equals the contract.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { ApiContext } from '../../src/radar/api/context.ts';
import { feedRoutes } from '../../src/radar/api/feeds/feed-routes.ts';
import { describeApi } from '../../src/radar/api/openapi/describe-api.ts';
import { routes } from '../../src/radar/api/routes.ts';

const site = {
  url: 'https://radar.example',
  name: 'Content Radar',
  hasAihotLinks: true,
  language: 'en',
} as const;
const context = { site, categories: ['ai-models', 'paper'] } as unknown as ApiContext;
const text = JSON.stringify(describeApi(context));

type Parameter = { name?: string; in?: string; description?: string; schema?: object };
type OpenApiDocument = {
  readonly info: { readonly version: string };
  readonly paths: Record<string, { get: DescribedOperation }>;
  readonly components: {
    readonly schemas: Record<string, { properties?: Record<string, object>; required?: string[] }>;
    readonly parameters: Record<string, Parameter>;
  };
};
type DescribedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: ({ $ref?: string } & Parameter)[];
  responses: Record<string, { headers?: object; content?: Record<string, { examples?: object }> }>;
};
const document: OpenApiDocument = JSON.parse(text);
const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }));

async function lintWithRedocly(source: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi-v1.json', config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

async function lintWithSpectral(source: string): Promise<readonly string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [spectralRulesets.oas as RulesetDefinition], rules: {} });
  const problems = await linter.run(source);
  return problems.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`);
}

describe('two linters', () => {
  test('report no problem', async () => {
    expect(await lintWithRedocly(text)).toEqual([]);
    expect(await lintWithSpectral(text)).toEqual([]);
  });

  test('would report a wrong example and a missing operationId', async () => {
    const brokenDocument = text.replace('"score":87', '"score":"high"');
    expect((await lintWithRedocly(brokenDocument)).join('\n')).toMatch(/example/i);
    expect((await lintWithSpectral(brokenDocument)).join('\n')).toMatch(/example/i);
    const withoutOperationId = text.replace('"operationId":"listItems",', '');
    expect((await lintWithRedocly(withoutOperationId)).join('\n')).toContain('operationId');
    expect((await lintWithSpectral(withoutOperationId)).join('\n')).toContain('operationId');
  });
});

test('the version is that of the contract', () => {
  expect(document.info.version).toBe('4.0.0');
});

test('describes exactly the addresses of the API', () => {
  const otherRoutes = feedRoutes.filter(({ path }) => /^\/(api\/v1\/agent|feed)/.test(path));
  const servedPaths = [...routes, ...otherRoutes]
    .map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
    .filter((path) => !/^\/problems\/|\.html$|^\/feed\.xsl$/.test(path));
  // A name and its format are one segment of an address.
  const describedPaths = Object.keys(document.paths).map((path) =>
    path.replace(/\{\w+\}\.\w+$/, '{file}'),
  );
  expect([...new Set(describedPaths)].sort()).toEqual(servedPaths.sort());
});

describe.each(operations)('$path', ({ path, get }) => {
  test('has a summary and a description', () => {
    expect(get.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(get.tags).toHaveLength(1);
    expect(get.summary.length).toBeGreaterThan(5);
    expect(get.description.length).toBeGreaterThan(40);
    const { content = {} } = get.responses['200'] ?? {};
    const { examples } = content['application/json'] ?? {};
    const isJson = 'application/json' in content;
    expect(!isJson || Object.keys(examples ?? {}).length > 0).toBe(true);
    expect(Object.keys(content)).toHaveLength(1);
  });

  test('declares every response', () => {
    const extraStatuses = [
      ...(/\}(\.\w+)?$|ies\/latest$|agent\/(daily|weekly|monthly)$/.test(path) ? ['404'] : []),
      ...(/\/(stories|story)\//.test(path) ? ['308'] : []),
      ...(path.includes('/selected/') ? ['409'] : []),
    ];
    const commonStatuses = ['200', '304', '400', '403', '405', '429', '503'];
    expect(Object.keys(get.responses).sort()).toEqual([...commonStatuses, ...extraStatuses].sort());
  });

  test('has the shared parameters and describes each other parameter', () => {
    const sharedParameters = get.parameters.map(({ $ref }) => $ref).filter(Boolean);
    expect(sharedParameters).toEqual([
      '#/components/parameters/ActorUserAgent',
      '#/components/parameters/IfNoneMatch',
    ]);
    const inlineParameters = get.parameters.filter(({ $ref }) => $ref === undefined);
    for (const { name, description } of inlineParameters) {
      expect(description?.length, `description of ${name}`).toBeGreaterThan(10);
    }
    const inPath = inlineParameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => `{${name}}`);
    expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
  });
});

describe('limits of queries equal those of the contract', () => {
  test.each([
    ['/api/v1/items', 'limit', { type: 'integer', minimum: 1, maximum: 100, default: 50 }],
    ['/api/v1/items', 'mode', { type: 'string', enum: ['selected', 'all'], default: 'selected' }],
    ['/api/v1/items', 'window', { type: 'string', enum: ['24h', '7d'], default: '7d' }],
    [
      '/api/v1/items',
      'by',
      { type: 'string', enum: ['timeline', 'published'], default: 'timeline' },
    ],
    ['/api/v1/items', 'category', { type: 'string', enum: ['ai-models', 'paper'] }],
    [
      '/api/v1/selected/snapshot',
      'limit',
      { type: 'integer', minimum: 1, maximum: 1000, default: 500 },
    ],
    ['/api/v1/selected/snapshot', 'fields', { type: 'string', enum: ['default', 'minimal'] }],
    [
      '/api/v1/selected/changes',
      'limit',
      { type: 'integer', minimum: 1, maximum: 100, default: 100 },
    ],
    ['/feed.xml', 'minScore', { type: 'integer', minimum: 0, maximum: 100, default: 0 }],
    ['/feed.json', 'language', { type: 'string', enum: ['en', 'zh'] }],
    ['/api/v1/dailies', 'limit', { type: 'integer', minimum: 1, maximum: 180, default: 30 }],
    ['/api/v1/weeklies', 'limit', { type: 'integer', minimum: 1, maximum: 60, default: 12 }],
    ['/api/v1/monthlies', 'limit', { type: 'integer', minimum: 1, maximum: 60, default: 12 }],
  ])('%s %s', (path, name, schema) => {
    const parameters = document.paths[path]?.get.parameters ?? [];
    expect(parameters.find((parameter) => parameter.name === name)?.schema).toEqual(schema);
  });
});

describe('fields equal those of the contract', () => {
  const fieldsOf = (name: string) =>
    Object.keys(document.components.schemas[name]?.properties ?? {});
  const item =
    'id title originalTitle summary source links publishedAt discoveredAt category score ' +
    'selected reason attribution language summaryBy story';
  const remainderOf = (all: string, without: string) =>
    all.split(' ').filter((name) => !without.split(' ').includes(name));
  test.each([
    ['Item', remainderOf(item, '')],
    ['MirroredItem', remainderOf(item, 'reason')],
    ['MinimalItem', remainderOf(item, 'originalTitle summary reason attribution')],
    [
      'HotTopic',
      remainderOf(
        'rank id title source links sourceCount signalCount participantCount sourceNames latestAt',
        '',
      ),
    ],
    [
      'Story',
      remainderOf(
        'publicId title status sourceCount reportCount firstReportAt latestAt latest digest ' +
          'digestUpdatedAt digestBy links reports hasMoreReports sources storyline related ' +
          'claims contradictions',
        '',
      ),
    ],
    [
      'Daily',
      remainderOf(
        'date generatedAt windowStart windowEnd links attribution lead sections flashes prevKey ' +
          'nextKey corrections',
        '',
      ),
    ],
    [
      'Weekly',
      remainderOf(
        'week periodStart periodEnd generatedAt headline links attribution windowStart windowEnd ' +
          'overview sections prevKey nextKey corrections',
        '',
      ),
    ],
    ['Problem', remainderOf('type title status detail instance code requestId retryAfter', '')],
  ])('%s', (name, fields) => {
    expect(fieldsOf(name).sort()).toEqual(fields.sort());
    const { required = [] } = document.components.schemas[name] ?? {};
    expect(remainderOf(fieldsOf(name).join(' '), required.join(' '))).toEqual(
      name === 'Problem' ? ['retryAfter'] : [],
    );
  });
});

test('a radar without republished links states it in its schemas', () => {
  const withoutLinks = { ...context, site: { ...site, hasAihotLinks: false } };
  expect(JSON.stringify(describeApi(withoutLinks))).not.toContain('aihot"');
  expect(text).toContain('aihot"');
});

test('every schema compiles alone', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'openapi' });
  for (const name of Object.keys(document.components.schemas)) {
    expect(ajv.compile({ $ref: `openapi#/components/schemas/${name}` })).toBeTypeOf('function');
  }
});
