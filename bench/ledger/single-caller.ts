// Measures a reserve and a capture of one caller alone. The first baseline is one durable UPDATE of
// one row. The second baseline writes the same rows with one plain statement into plain tables; no
// ledger with these rows can be faster.
import { type BenchRow, median } from '../row.ts';
import type { BenchWallet } from './bench-wallet.ts';

const tables = `
  DO $$ BEGIN
    CREATE TABLE bench_balances (id integer PRIMARY KEY, balance bigint) WITH (fillfactor = 50);
    INSERT INTO bench_balances SELECT n, 0 FROM generate_series(1, 4) AS n;
    CREATE TABLE bench_calls (LIKE calls INCLUDING INDEXES) WITH (fillfactor = 45);
    CREATE TABLE bench_entries AS SELECT * FROM entries LIMIT 0;
    ALTER TABLE bench_entries ADD PRIMARY KEY (seq);
    CREATE TABLE bench_deadlines (LIKE deadlines INCLUDING INDEXES);
    CREATE SEQUENCE bench_numbers;
  END $$`;

const singleUpdate = {
  name: 'bench_one',
  text: `UPDATE bench_balances SET balance = balance - 1
    WHERE id = $1::integer AND balance >= $2::integer RETURNING id::text`,
};

/** The rows of a reserve: three balances, a call, an entry, a deadline. */
const insertSameRows = {
  name: 'bench_same',
  text: `
    WITH w AS (UPDATE bench_balances SET balance = balance - 1 WHERE id = 1),
      b AS (UPDATE bench_balances SET balance = balance - 1 WHERE id = 2),
      k AS (UPDATE bench_balances SET balance = balance - 1 WHERE id = 3),
      e AS (INSERT INTO bench_entries (seq, account_id, livemode, kind, at, sources, targets,
        amounts, requests) VALUES (nextval('bench_numbers'), 'acct_hot', true, 'reserve',
        $2::timestamptz, ARRAY['cash'], ARRAY['held:cash'], ARRAY[3600000], ARRAY[$1::text])),
      d AS (INSERT INTO bench_deadlines VALUES ('acct_hot', true, $2::timestamptz,
        $2::timestamptz))
    INSERT INTO bench_calls (request_id, account_id, livemode, key_id, capability, sku,
      price_version, unit, quantity, amount, books, parts, idempotency_key, fingerprint, state,
      day, opened_at, deadline_at)
    VALUES ($1::text, 'acct_hot', true, 'key_one', 'ocr', 'ocr', 1, 'per_call', 1, 3600000,
      ARRAY['cash'], ARRAY[3600000], $1::text, $1::text || $1::text, 'held', '2026-08-22',
      $2::timestamptz, $2::timestamptz)
    RETURNING request_id`,
};

const BLOCK = 25;

export async function benchSingleCaller(bench: BenchWallet, seconds: number): Promise<BenchRow[]> {
  const { ledger, world } = bench;
  const created = await ledger.execute({ name: 'bench_tables', text: tables }, []);
  if (created.kind !== 'result') throw new Error(created.error);
  const times = { update: [] as number[], sameRows: [] as number[], reserve: [] as number[] };
  const captures: number[] = [];
  const measure = async <T>(durations: number[], work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    durations.push(performance.now() - start);
    return result;
  };
  // Each variant runs in blocks, because each has its own connection. A block therefore measures
  // repeated calls, and not a server process that is cold after another variant.
  const runBlocks = async () => {
    for (let index = 0; index < BLOCK; index += 1) {
      await measure(times.update, () => ledger.execute(singleUpdate, [1, -2_000_000_000]));
    }
    for (let index = 0; index < BLOCK; index += 1) {
      const id = `req_${world.ids.next()}`;
      const at = new Date(world.clock.now()).toISOString();
      const inserted = await measure(times.sameRows, () =>
        ledger.execute(insertSameRows, [id, at]),
      );
      if (inserted.kind !== 'result') throw new Error(inserted.error);
    }
    const openCalls: string[] = [];
    for (let index = 0; index < BLOCK; index += 1)
      openCalls.push(await measure(times.reserve, () => bench.authorizeCall()));
    for (const requestId of openCalls) await measure(captures, () => bench.captureCall(requestId));
  };
  // Warm-up: compilation and first writes are not measured.
  for (let index = 0; index < 20; index += 1) await runBlocks();
  for (const values of [...Object.values(times), captures]) values.length = 0;
  const end = performance.now() + 1_000 * seconds;
  while (performance.now() < end) await runBlocks();
  const baseline = median(times.update);
  const makeRow = (name: string, values: readonly number[], isGoal: boolean): BenchRow => ({
    name: `one caller alone: ${name} against one durable statement, median`,
    value: median(values) / baseline,
    unit: '×',
    ...(isGoal && { goal: { atMost: 1.6 } }),
    note:
      `${median(values).toFixed(3)} and ${baseline.toFixed(3)} ms, ` +
      `${values.length} each, ${BLOCK} at a time`,
  });
  return [
    makeRow('reserve', times.reserve, true),
    makeRow('capture', captures, true),
    makeRow('the rows of a reserve, by one plain statement', times.sameRows, false),
  ];
}
