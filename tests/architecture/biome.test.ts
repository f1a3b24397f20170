// Biome enforces some of the rules. This test runs our configuration on planted files, one per
// rule, and expects a report for each.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

const longBody = '  b();\n'.repeat(121);

const plantedFiles: Readonly<Record<string, string>> = {
  'lint/suspicious/noExplicitAny': 'export const a = (b: any): unknown => b;\n',
  'lint/style/noNonNullAssertion': 'export const a = (b: string | null) => b!.length;\n',
  'lint/style/noDefaultExport': 'export default 1;\n',
  'lint/suspicious/noConsole': "console.log('a');\n",
  'lint/correctness/noUnusedImports': "import { a } from './sound.ts';\n",
  'lint/correctness/noUnusedVariables': 'const a = 1;\n',
  'lint/style/useImportType': "import { A } from './sound.ts';\nexport type B = A;\n",
  'lint/style/useNodejsImportProtocol': "export { join } from 'path';\n",
  'lint/performance/noReExportAll': "export * from './sound.ts';\n",
  'lint/performance/noBarrelFile': "export { a } from './sound.ts';\n",
  'lint/complexity/noExcessiveLinesPerFunction': `export const a = () => {\n${longBody}};\n`,
  'lint/suspicious/noImportCycles': "import { b } from './back.ts';\nexport const a = () => b;\n",
  format: 'export const a = "two quotes"\n',
};

const fileOf = (rule: string) => `src/kernel/planted-${Object.keys(plantedFiles).indexOf(rule)}.ts`;
const folder = mkdtempSync(join(tmpdir(), 'planted-'));
let report = '';

beforeAll(() => {
  mkdirSync(join(folder, 'src/kernel'), { recursive: true });
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  for (const [rule, text] of Object.entries(plantedFiles)) {
    writeFileSync(join(folder, fileOf(rule)), text);
  }
  const firstFile = fileOf('lint/suspicious/noImportCycles').replace('src/kernel', '.');
  const secondFile = `import { a } from '${firstFile}';\n\nexport const b = () => a;\n`;
  writeFileSync(join(folder, 'src/kernel/back.ts'), secondFile);
  writeFileSync(
    join(folder, 'src/kernel/sound.ts'),
    'export type A = 1;\nexport const a: A = 1;\n',
  );
  const bin = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['ci', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none', '.'];
  const result = spawnSync(process.execPath, [bin, ...options], { cwd: folder, encoding: 'utf8' });
  report = result.stdout + result.stderr;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(Object.keys(plantedFiles))('Biome reports the fault: %s', (rule) => {
  const error = report
    .split('\n')
    .filter((line) => line.startsWith('::error') && line.includes(`/${fileOf(rule)},`))
    .filter((line) => line.includes(`title=${rule}`));
  expect(error).not.toEqual([]);
});

it('Biome accepts a correct file', () => {
  expect(report.split('\n').filter((line) => line.includes('/sound.ts,'))).toEqual([]);
});
