// Writes the SDK's types from the two OpenAPI documents, as the services describe themselves:
//
//   bin/node24 tests/sdk/generate-declarations.ts
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeGateway } from '../../src/gateway/api/openapi/describe-gateway.ts';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import type { World } from '../../src/kernel/world.ts';
import { describeApi } from '../../src/radar/api/openapi/describe-api.ts';
import { type OpenApi, writeDeclarations } from './write-declarations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const command = 'bin/node24 tests/sdk/generate-declarations.ts';

/** A radar and a gateway that only supply their OpenAPI documents. They open no connection. */
const site = { url: 'https://example.com', name: 'Content Radar' };
const unusedWorld = {} as World;
const noMedia = { store: async () => null, find: async () => null, deleteExpired: async () => 0 };

function readDocuments(): { readonly feed: OpenApi; readonly gateway: OpenApi } {
  const radar = { site: { ...site, hasAihotLinks: true, language: 'en' }, categories: ['paper'] };
  const capabilities = openCapabilities(unusedWorld, providersSchema.parse({}), noMedia);
  return {
    feed: describeApi(radar as unknown as Parameters<typeof describeApi>[0]) as OpenApi,
    gateway: describeGateway({ site, capabilities }) as OpenApi,
  };
}

/** Text by path from the project's root. */
export function generateDeclarations(): ReadonlyMap<string, string> {
  const { feed, gateway } = readDocuments();
  const headerFor = (api: string) =>
    `Types of the requests and responses of the ${api}. Written by ${command}.`;
  return new Map([
    ['packages/sdk/src/feed-answers.ts', formatText(writeDeclarations(feed, headerFor('feed')))],
    [
      'packages/sdk/src/gateway-answers.ts',
      formatText(writeDeclarations(gateway, headerFor('gateway'))),
    ],
  ]);
}

function formatText(text: string): string {
  const biome = `${root}node_modules/@biomejs/biome/bin/biome`;
  const options = ['format', '--stdin-file-path=packages/sdk/src/generated.ts'];
  return execFileSync(process.execPath, [biome, ...options], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
}

if (import.meta.main) {
  for (const [path, text] of generateDeclarations()) writeFileSync(`${root}${path}`, text);
}
