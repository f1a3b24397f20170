// `npm run proof`: the heaviest tests at full size, with new seeds. `npm run proof -- exactness`
// runs those whose names contain a word. Four proofs run only by their names. `programs` are the
// tests that start programs, at the size of `npm test`. `clients` downloads Claude Code and Codex
// and runs them against the relay. `release` packs the project, installs the package and starts it.
// `failover-bench` runs the public bench from the folder FAILOVER_BENCH.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const proofs = [
  ...[
    'sync',
    'mutate',
    'contract',
    'ledger/nemesis',
    'ledger/model',
    'fuzz',
    'killed-model-requests',
  ],
  ...['gateway-jobs-nodes', 'database-outage', 'fast-path.property', 'top-ups-model'],
  ...['fetch/replay', 'documents.property', 'exactness.property', 'client-disconnects'],
  ...['actions.property', 'killed-delivery', 'withdrawn-delivery'],
];
const root = join(import.meta.dirname, '..');

const names = process.argv.slice(2);
const places: Readonly<Record<string, readonly string[]>> = {
  clients: ['tests/clients/'],
  release: ['tests/release/'],
  'failover-bench': ['tests/failover-bench/'],
  programs: ['tests/concurrency/', 'tests/e2e/', 'tests/browser/'],
};
const downloading = new Set(['clients', 'release', 'failover-bench']);
const filters = names.length === 0 ? proofs : names.flatMap((name) => places[name] ?? [name]);
const isFull = names.length === 0 || names.some((name) => name !== 'programs');
const env = {
  ...process.env,
  ...(isFull && { RADAR_PROOF: 'full' }),
  ...(names.some((name) => downloading.has(name)) && { RADAR_DOWNLOADS: 'yes' }),
};
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
spawn(join(root, 'bin/node24'), [vitest, 'run', ...filters], {
  cwd: root,
  env,
  stdio: 'inherit',
}).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
