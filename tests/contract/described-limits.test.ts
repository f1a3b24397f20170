// Both OpenAPI documents state how long each text may be, or which form it has, so that a client
// sends nothing that the server refuses. Source: conformance, finding D12.
import { expect, test } from 'vitest';
import { describeGateway } from '../../src/gateway/api/openapi/describe-gateway.ts';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { platforms } from '../../src/gateway/capabilities/social/platforms.ts';
import { openFilledRadar } from '../support/filled-radar.ts';
import { sendRequest } from '../support/http-request.ts';
import { testWorld } from '../support/test-world.ts';

type Schema = {
  readonly [key: string]: unknown;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};
type Operation = {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly schema?: Schema;
  }[];
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const { origin } = await openFilledRadar();
const radar = JSON.parse((await sendRequest(origin, { path: '/openapi-v1.json' })).text);
const noMedia = { store: async () => null, find: async () => null, deleteExpired: async () => 0 };
const capabilities = openCapabilities(testWorld().world, providersSchema.parse({}), noMedia);
const site = { url: 'https://gateway.example', name: 'Radar' };
const gateway = JSON.parse(JSON.stringify(describeGateway({ site, capabilities })));

const limits = ['enum', 'const', 'format', 'pattern', 'maxLength'];

/** Paths of texts without a limit. */
function textsWithoutLimit(schema: Schema, path: string): readonly string[] {
  const isUnlimited = schema.type === 'string' && !limits.some((name) => name in schema);
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...(isUnlimited ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      textsWithoutLimit(inner, `${path}.${name}`),
    ),
    ...(schema.items === undefined ? [] : textsWithoutLimit(schema.items, `${path}[]`)),
    ...parts.flatMap((part) => textsWithoutLimit(part, path)),
  ];
}

function parametersWithoutLimit({ paths }: Document): readonly string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations)
      .flatMap(({ parameters = [] }) => parameters)
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema }) => (schema ? textsWithoutLimit(schema, `${path} ${name}`) : [])),
  );
}

test('each text parameter of a query has a limit or a form', () => {
  expect(parametersWithoutLimit(radar)).toEqual([]);
  expect(parametersWithoutLimit(gateway)).toEqual([]);
});

test('each text of a capability’s request has a limit or a form', () => {
  const { schemas } = gateway.components as Document['components'];
  // The relay forwards its requests unchanged.
  const requests = Object.entries(schemas).filter(([name]) => /^(?!Relay).*Request$/.test(name));
  expect(requests.length).toBeGreaterThan(4);
  expect(requests.flatMap(([name, schema]) => textsWithoutLimit(schema, name))).toEqual([]);
});

test('the length of a search and the platforms are those of the contract', () => {
  const text = JSON.stringify(radar.paths['/api/v1/items']);
  expect(text).toContain('"minLength":2,"maxLength":200');
  const request = JSON.stringify(gateway.components.schemas.SocialRequest);
  expect(request).toContain(JSON.stringify(platforms.map(({ id }) => id)));
});
