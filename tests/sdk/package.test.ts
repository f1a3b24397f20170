// The published SDK package: its types equal the services' present schemas, it compiles for a
// browser, and it is small.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { command, generateDeclarations } from './generate-declarations.ts';

const root = new URL('../../', import.meta.url);
const readText = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('generates its types from the OpenAPI documents', () => {
  for (const [path, text] of generateDeclarations()) {
    expect(readText(path) === text, `${path} is outdated: run ${command}`).toBe(true);
  }
});

test('every entry of the package has a source file', () => {
  const { exports, dependencies } = JSON.parse(readText('packages/sdk/package.json'));
  expect(dependencies).toBeUndefined();
  for (const [name, { types }] of Object.entries<{ types: string }>(exports)) {
    expect(types).toBe(`./dist/${name.slice(2)}.d.ts`);
    expect(readText(`packages/sdk/src/${name.slice(2)}.ts`)).not.toBe('');
  }
});

test('the command in the README packs the files of all entries', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sdk-pack-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [, line = ''] = /^npm (pack [^#]*)#/m.exec(readText('packages/sdk/README.md')) ?? [];
  const words = [...line.trim().split(' '), '--json', '--pack-destination', dir];
  const { stdout } = await promisify(execFile)('npm', words, { cwd: root });
  const names = [...stdout.matchAll(/"path": "([^"]+)"/g)].map(([, path]) => `./${path}`);
  const { exports } = JSON.parse(readText('packages/sdk/package.json'));
  const entries = Object.values<Record<string, string>>(exports).flatMap((entry) =>
    Object.values(entry),
  );
  expect(entries.filter((entry) => !names.includes(entry))).toEqual([]);
  expect(entries.length).toBeGreaterThan(8);
});

const KIB_20 = 20 * 1024;

test('has at most 20 KB minified and no part of Node', async ({ annotate }) => {
  const src = new URL('packages/sdk/src/', root).pathname;
  const entry = ['feed', 'gateway', 'mirror', 'money', 'errors'].map((name) => `${src}${name}.ts`);
  const buildResult = await build({
    configFile: false,
    logLevel: 'error',
    root: src,
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const [{ output }] = buildResult as unknown as [{ output: { code: string }[] }];
  const code = output.map((chunk) => chunk.code).join('');
  expect(code).not.toMatch(/node:|require\(/);
  expect(code).toContain('createGateway');
  annotate(`${Buffer.byteLength(code)} bytes minified`);
  expect(Buffer.byteLength(code)).toBeLessThanOrEqual(KIB_20);
});
