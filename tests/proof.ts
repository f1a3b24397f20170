// `npm run proof`: the heaviest tests at full size, with new seeds. `npm run proof -- exactness`
// runs those whose names contain a word. `npm run proof -- clients` downloads Claude Code and Codex
// and runs them against the relay; it runs only by its name.
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
const filters =
  names.length === 0 ? proofs : names.map((name) => (name === 'clients' ? 'tests/clients/' : name));
const env = {
  ...process.env,
  RADAR_PROOF: 'full',
  ...(names.includes('clients') && { RADAR_CLIENTS: 'yes' }),
};
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
spawn(join(root, 'bin/node24'), [vitest, 'run', ...filters], {
  cwd: root,
  env,
  stdio: 'inherit',
}).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
