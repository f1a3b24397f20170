// The skill document for agents: its addresses and parameters occur in the services' descriptions,
// and all its other addresses respond.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { GatewayContext } from '../../src/gateway/api/context.ts';
import type { ApiRequest } from '../../src/gateway/api/http-response.ts';
import { handleSkill as handleGatewaySkill } from '../../src/gateway/api/routes/skill.ts';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import type { ApiContext, PublicRequest } from '../../src/radar/api/context.ts';
import { handleSkill as handleRadarSkill } from '../../src/radar/api/feeds/skill-file.ts';
import { openFilledRadar } from '../support/filled-radar.ts';
import { sendRequest } from '../support/http-request.ts';
import { openTestGateway } from '../support/test-gateway.ts';
import { testWorld } from '../support/test-world.ts';

type Schema = { properties?: Record<string, unknown>; anyOf?: Schema[]; oneOf?: Schema[] };
type Operation = {
  parameters?: { name?: string; in?: string }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const noMedia = { store: async () => null, find: async () => null, deleteExpired: async () => 0 };
const capabilities = openCapabilities(testWorld().world, providersSchema.parse({}), noMedia);
const gateway = await openTestGateway({ capabilities });
const radar = await openFilledRadar();
const readText = async (origin: string, path: string) => (await sendRequest(origin, { path })).text;
const documents: Record<string, Document> = {
  radar: JSON.parse(await readText(radar.origin, '/openapi-v1.json')),
  gateway: JSON.parse(await readText(gateway.origin, '/openapi.json')),
};
const skill = readFileSync(new URL('../../SKILL.md', import.meta.url), 'utf8');

/** Addresses that OpenAPI does not describe: files, Markdown and tools. */
const otherAddresses: Record<string, readonly string[]> = {
  radar: ['/api/v1/agent', '/mcp'],
  gateway: ['/mcp', '/sdk', '/openapi.json'],
};

function faultOf(service: string, method: string, address: string): string | null {
  const [path = '', query = ''] = address.split('?');
  if (path === '' || otherAddresses[service]?.includes(path)) return null;
  const shape = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
  const { paths = {} } = documents[service] ?? {};
  const [, item] =
    Object.entries(paths).find(([template]) => shape(template) === shape(path)) ?? [];
  const operation = item?.[method.toLowerCase()];
  if (operation === undefined) return `${method} ${path} is not described`;
  const parameterNames = (operation.parameters ?? []).map(({ name }) => name);
  const unknownParameters = [...new URLSearchParams(query).keys()].filter(
    (name) => !parameterNames.includes(name),
  );
  return unknownParameters.length === 0 ? null : `${path} has no ${unknownParameters.join(', ')}`;
}

test('the services describe every address and parameter of the skill', () => {
  const addresses = /(?:(GET|POST|DELETE) )?\{(radar|gateway)_url\}([^\s`',]*)/g;
  const matches = [...skill.matchAll(addresses)];
  const faults = matches.map(([match, method, service = '', address = '']) => {
    const isCurlPost = method === undefined && match.includes('/capabilities/social');
    return faultOf(service, method ?? (isCurlPost ? 'POST' : 'GET'), address);
  });
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
  expect(matches.length).toBeGreaterThan(25);
});

test('every field of a request in the skill belongs to its capability', () => {
  const { paths = {}, components = { schemas: {} } } = documents.gateway ?? {};
  const fieldsOf = (schema: Schema = {}): string[] => [
    ...Object.keys(schema.properties ?? {}),
    ...(schema.anyOf ?? schema.oneOf ?? []).flatMap(fieldsOf),
  ];
  const requests = [...skill.matchAll(/POST \{gateway_url\}(\S+)` `(\{.*?\})`/g)];
  for (const [, path = '', body = ''] of requests) {
    const { $ref = '' } = paths[path]?.post?.requestBody?.content['application/json']?.schema ?? {};
    const fieldNames = fieldsOf(components.schemas[$ref.split('/').at(-1) ?? '']);
    expect([path, fieldNames]).toEqual([
      path,
      expect.arrayContaining(Object.keys(JSON.parse(body))),
    ]);
    const capability = capabilities.find((capability) => capability.path === path);
    const sample = body.replaceAll('…', 'https://www.youtube.com/watch?v=abcdefghijk');
    expect(capability?.input.safeParse(JSON.parse(sample)).error).toBeUndefined();
  }
  expect(requests).toHaveLength(6);
});

test('the front matter names the skill, and its files exist', async () => {
  expect(skill).toMatch(/^---\nname: content-radar\ndescription: .{50,1024}\n---\n/);
  for (const [service, paths] of Object.entries(otherAddresses)) {
    const { origin } = service === 'radar' ? radar : gateway;
    for (const path of paths) {
      const { status } = await sendRequest(origin, { path });
      expect([path, status]).toEqual([path, path === '/mcp' ? 405 : 200]);
    }
  }
  for (const endpoint of ['POST {relay_url}/relay/v1/chat/completions', '/relay/v1/models']) {
    expect(skill).toContain(endpoint);
  }
});

test('both services serve the skill with their own address', async () => {
  for (const [origin, name, url] of [
    [radar.origin, 'radar', 'https://radar.example'],
    [gateway.origin, 'gateway', 'https://gateway.example'],
  ] as const) {
    const response = await sendRequest(origin, { path: '/SKILL.md' });
    expect(response.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(response.text).toBe(skill.replaceAll(`{${name}_url}`, url));
    const conditional = { 'if-none-match': String(response.headers.etag) };
    expect((await sendRequest(origin, { path: '/SKILL.md', headers: conditional })).status).toBe(
      304,
    );
  }
});

test('a process that runs several services fills in their addresses in both copies', async () => {
  const [radarUrl, gatewayUrl, relayUrl] = ['radar', 'gateway', 'relay'].map(
    (name) => `https://${name}.example`,
  );
  const radarCopy = handleRadarSkill(
    { site: { url: radarUrl, gatewayUrl, relayUrl } } as unknown as ApiContext,
    { rawQuery: '' } as unknown as PublicRequest,
  );
  const gatewayCopy = await handleGatewaySkill(
    { site: { url: gatewayUrl, radarUrl, relayUrl } } as unknown as GatewayContext,
    { query: '' } as unknown as ApiRequest,
  );
  expect(String(radarCopy.bytes)).not.toMatch(/\{\w+_url\}/);
  expect(gatewayCopy.body).toBe(String(radarCopy.bytes));
});
