// Runs Failover Bench, unmodified, through its `endpoint` adapter. The bench scores how the relay
// handles sixteen faults of a provider. FAILOVER_BENCH names a folder with its sources, which are
// not part of the project, and PYTHON an interpreter with httpx and PyYAML. Run by `npm run proof
// -- failover-bench`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { planPrices } from '../../src/gateway/calls/plan-prices.ts';
import { shippedPrices } from '../../src/gateway/calls/prices.ts';
import { makeKey } from '../../src/gateway/keys/change-keys.ts';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { freePort } from '../support/free-port.ts';
import { startServing, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const bench = process.env.FAILOVER_BENCH ?? '';
const python = process.env.PYTHON ?? 'python3';

/** The models of the catalogue, each with its fallback. */
function readModels(): ReadonlyMap<string, string> {
  const catalogue = readFileSync(join(bench, 'scenarios/catalogue.yaml'), 'utf8');
  const [, ...scenarios] = catalogue.split(/\bid: S\d\d\b/);
  return new Map(
    scenarios.map((text) => {
      const model = /(?<!_)\bmodel: (fb-[\w-]+)/.exec(text)?.[1] ?? '';
      return [model, /fallback_model: (fb-[\w-]+)/.exec(text)?.[1] ?? 'fb-ok'];
    }),
  );
}

/**
 * The configuration of the published result: one fallback, 10 s for the first token and per gap.
 */
const routeTo = (fallback: string) => ({
  fallbacks: [fallback],
  contextFallbacks: [fallback],
  firstTokenMs: 10_000,
  stallMs: 10_000,
  continue: 'across',
});

type ScoredFault = {
  readonly id: string;
  readonly title: string;
  readonly verdict: string;
  readonly reason: string;
  readonly metrics: { readonly attempts_primary: number; readonly attempts_fallback: number };
};

test('the relay passes all sixteen faults of the bench', async () => {
  if (bench === '') throw new Error('set FAILOVER_BENCH to the folder of the bench');
  const { world, clock } = testWorld(7, Date.now() - 120_000);
  const { db, connection } = await openTestDatabase();
  const folder = temporaryDataDir();
  const routes = readModels();
  const models = [...new Set([...routes.keys(), ...routes.values()])];
  const price = { from: 0, variant: '', microFen: 1_000_000_000n, origin: 'manual' } as const;
  const rows = models.flatMap((model) => [
    { ...price, model, class: 'input' as const },
    { ...price, model, class: 'output' as const },
  ]);
  const { prices } = shippedPrices;
  const change = { startsAt: clock.now() + 60_000, prices, models: rows, expectedVersion: 1 };
  await inTransaction(db, (tx) => planPrices(world, tx, { ...change, actor: 'Ada', reason: '-' }));
  const account = await addAccount(world, db, { email: 'a@example.com', password: 'a long word' });
  if (account.kind !== 'added') throw new Error(account.kind);
  const payment = { amount: 10n ** 12n, reference: 'paid', reason: null, actor: 'test' };
  await topUp(world, db, { accountId: account.id, livemode: true, ...payment });
  const owner = { accountId: account.id, livemode: true, name: 'bench' } as const;
  const key = await makeKey(world, db, { ...owner, kind: 'sk' });

  const port = await freePort();
  const provider = spawn(python, ['-m', 'failoverbench', 'wall', '--port', String(port)], {
    cwd: bench,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    provider.kill('SIGKILL');
  });
  // The first line of the provider states that it listens.
  await once(provider.stderr, 'data');
  provider.stderr.resume();
  const servedModels = Object.fromEntries(models.map((model) => [model, model]));
  const upstream = {
    name: 'wall',
    url: `http://127.0.0.1:${port}/v1`,
    key: 'k',
    models: servedModels,
  };
  const relay = {
    upstreams: [upstream],
    models: Object.fromEntries([...routes].map(([model, to]) => [model, routeTo(to)])),
  };
  writeFileSync(join(folder, 'radar.config.json'), JSON.stringify({ relay, logLevel: 'error' }));
  const node = await startServing(
    {
      DATA_DIR: folder,
      DATABASE_URL: urlOf(connection),
      RADAR_CONFIG: join(folder, 'radar.config.json'),
    },
    ['--only', 'relay'],
  );
  // JSON is YAML.
  const system = {
    name: 'content-radar',
    adapter: 'endpoint',
    params: { base_url: `${node.relayUrl}/relay/v1`, api_key: key.text },
  };
  const file = join(folder, 'content-radar.yaml');
  writeFileSync(file, JSON.stringify(system));
  const options = ['--system', file, '--wall', `http://127.0.0.1:${port}`, '--out', folder];
  const run = spawn(python, ['-m', 'failoverbench', 'run', ...options], {
    cwd: bench,
    stdio: 'inherit',
  });
  expect(await once(run, 'exit')).toEqual([0, null]);
  await node.end('SIGTERM');

  const result = readFileSync(join(folder, 'full/content-radar.json'), 'utf8');
  const { scenarios } = JSON.parse(result) as { readonly scenarios: readonly ScoredFault[] };
  for (const { id, title, verdict, reason, metrics } of scenarios) {
    const { attempts_primary: firstAttempts, attempts_fallback: fallbackAttempts } = metrics;
    process.stdout.write(
      `${id} ${verdict} ${firstAttempts}/${fallbackAttempts} ${title}: ${reason}\n`,
    );
  }
  expect(scenarios.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(scenarios).toHaveLength(16);
  const { invariants } = await auditLedger(world, db, 'full');
  expect(invariants.flatMap(({ violations }) => violations)).toEqual([]);
});
