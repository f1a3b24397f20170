// Compiles `src` to JavaScript in `dist`, because Node runs no TypeScript below `node_modules`. It
// also copies the other files that the program reads. `npm run release` runs this file and then
// packs the release. A `prepack` script would not run, because the project ignores such scripts.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.release.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
cpSync(join(root, 'src'), dist, {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || !/\.(?:ts|md)$/.test(path),
});
