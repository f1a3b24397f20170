// Every example of the SDK's README runs unchanged against real services; only addresses and keys
// are replaced.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { openFilledRadar } from '../support/filled-radar.ts';
import { openLoopbackSite } from '../support/loopback-site.ts';
import { openTestGateway } from '../support/test-gateway.ts';
import { testWorld } from '../support/test-world.ts';

const noMedia = { store: async () => null, find: async () => null, deleteExpired: async () => 0 };
const capabilities = openCapabilities(testWorld().world, providersSchema.parse({}), noMedia);
const gateway = await openTestGateway({ capabilities });
const radar = await openFilledRadar();
const relay = await openLoopbackSite();
const chunk = { id: '1', model: 'demo', choices: [{ index: 0, delta: { content: 'Hello.' } }] };
relay.respond('/relay/v1/chat/completions', {
  headers: { 'content-type': 'text/event-stream' },
  body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
});

const sdk = new URL('../../packages/sdk/', import.meta.url);
const readme = readFileSync(new URL('README.md', sdk), 'utf8');
const examples = [...readme.matchAll(/^## (.+?)$[\s\S]*?```ts\n([\s\S]*?)```/gm)];
const dir = mkdtempSync(join(tmpdir(), 'sdk-readme-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the README has four examples', () => {
  expect(examples.map(([, title]) => title)).toEqual([
    ...['The feed', 'An exact copy of the selected set', 'The gateway', 'Chat'],
  ]);
});

test.each(examples.map(([, title = '', code = '']) => [title, code]))(
  'the example %s runs unchanged',
  async (title, code) => {
    const placedCode = code
      .replaceAll(/'content-radar-sdk\/([a-z-]+)'/g, `'${new URL('src/', sdk).href}$1.ts'`)
      .replaceAll('http://127.0.0.1:4000', radar.origin)
      .replaceAll('http://127.0.0.1:4100', gateway.origin)
      .replaceAll('http://127.0.0.1:4200', relay.url)
      .replaceAll('sk-test-…', gateway.keys.skTest)
      .replaceAll('ak-test-…', gateway.keys.akTest);
    const file = join(dir, `${title.replaceAll(' ', '-')}.mts`);
    writeFileSync(file, placedCode);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
    expect(stdout).not.toContain('undefined\nundefined');
  },
);
