// `npm run proof` runs the heaviest tests at full size, with new seeds. `npm run proof --
// exactness` runs the test files whose paths contain this word. Other proofs run only by their
// names:
//
// - `programs`: the tests that start programs, at the size of `npm test`.
// - `upgrade`, `failover`, `deploy`: several nodes, a cluster of PostgreSQL, containers. They need
//   root, and end all processes that they started. `--short` is the size of CI.
// - `clients` downloads Claude Code and Codex and runs them against the relay.
// - `release` packs the project, installs the package and starts it.
// - `failover-bench` runs the public bench from the folder FAILOVER_BENCH.
// - `growth` fills a ledger with a million calls, or with GROWTH_CALLS.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const proofs = [
  ...[
    'sync',
    'mutate',
    'contract',
    'ledger/random-faults',
    'ledger/model',
    'fuzz',
    'killed-model-requests',
  ],
  ...['gateway-jobs-nodes', 'database-outage', 'fast-path.property', 'top-ups-model'],
  ...['fetch/replay', 'documents.property', 'exactness.property', 'client-disconnects'],
  ...['actions.property', 'killed-delivery', 'withdrawn-delivery'],
];
const root = join(import.meta.dirname, '..');

const words = process.argv.slice(2);
const isShort = words.includes('--short');
const names = words.filter((word) => word !== '--short');
const folders: Readonly<Record<string, readonly string[]>> = {
  clients: ['tests/clients/'],
  release: ['tests/release/'],
  'failover-bench': ['tests/failover-bench/'],
  upgrade: ['tests/upgrade/'],
  failover: ['tests/failover/'],
  deploy: ['tests/deploy/'],
  growth: ['tests/growth/'],
  programs: [
    'tests/concurrency/',
    'tests/e2e/',
    'tests/browser/',
    'tests/store/embedded-postgres/',
    'tests/ledger/random-faults',
  ],
};
/** Proofs that run isolated from the machine's other processes. */
const isolatedProofs = new Set(['upgrade', 'failover', 'deploy']);
const namedProofs = new Set(['clients', 'release', 'failover-bench', 'growth', ...isolatedProofs]);
const filters = names.length === 0 ? proofs : names.flatMap((name) => folders[name] ?? [name]);
const isFull = !isShort && (names.length === 0 || names.some((name) => name !== 'programs'));
const env = {
  ...process.env,
  ...(isFull && { RADAR_PROOF: 'full' }),
  ...(names.some((name) => namedProofs.has(name)) && { RADAR_NAMED_PROOFS: 'yes' }),
};
const vitest = [join(root, 'bin/node24'), join(root, 'node_modules/vitest/vitest.mjs'), 'run'];
const command = [...isolationCommand(), ...vitest, ...filters];
spawn(command[0] ?? '', command.slice(1), { cwd: root, env, stdio: 'inherit' }).on(
  'exit',
  (code) => {
    process.exitCode = code ?? 1;
  },
);

/**
 * A command that gives the proof its own process tree, network and folder in memory. All of them
 * end with this process. Only `deploy` needs the network of the machine, to install packages.
 */
function isolationCommand(): readonly string[] {
  if (!names.some((name) => isolatedProofs.has(name))) return [];
  if (process.getuid?.() !== 0) throw new Error(`only root can run the proof ${names.join(', ')}`);
  const network = names.includes('deploy') ? [] : ['--net'];
  const unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // The shell keeps running. As the first process, it collects the children of killed processes.
  const prepare =
    'mount -t tmpfs -o mode=1777 radar-proof /dev/shm && ip link set lo up && "$@"; exit $?';
  const path = `PATH=${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
  const shell = ['env', path, 'TMPDIR=/dev/shm', 'sh', '-c', prepare, 'sh'];
  return ['setpriv', '--pdeathsig', 'KILL', ...unshare, ...network, ...shell];
}
