// Limits of money and rate. All workers together never exceed a budget or the rate limit of a
// server.
import { expect, test } from 'vitest';
import { openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import {
  changeModelRouting,
  listBudgets,
  readSpendingSince,
  viewRouting,
} from '../../src/radar/model/model-report.ts';
import { findRateState } from '../../src/store/model/model-rate-states.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { openTestModel, scoreOf, settingsFor } from './test-model.ts';

const testModel = await openTestModel();
const { world, db, server } = testModel;

const nextDay = () => testModel.passTime(DAY_MS);

const lettersOf = (index: number) => `text ${'abcdefghijklmnopqrstuvwxyz'[index]}`;

test('two workers together send exactly the requests of a budget', async () => {
  const models = { counted: { budget: { day: { requests: 5 } } } };
  const settings = { name: 'counted' };
  const workers = [
    testModel.openProcess({ models }, settings),
    testModel.openProcess({ models }, settings),
  ];
  nextDay();
  const requests = Array.from({ length: 12 }, (_, index) =>
    workers[index % 2]?.requestModel(world, scoreOf(`counted ${lettersOf(index)}`)),
  );
  const results = await Promise.all(requests);
  expect(results.filter((result) => result?.kind === 'answered')).toHaveLength(5);
  expect(results.filter((result) => result?.kind === 'built_in')).toEqual(
    Array.from({ length: 7 }, () => ({
      kind: 'built_in',
      why: 'budget',
      detail: 'the budget of counted for this day is spent',
    })),
  );
  expect(server.billed.filter(({ model }) => model === 'counted')).toHaveLength(5);
  const days = await readSpendingSince(db, '2026-01-01');
  expect(days.find(({ model }) => model === 'counted')).toMatchObject({ overBudget: 7 });
  // Each worker logs an exhausted budget once.
  expect(testModel.logged.filter((line) => line.includes('a budget is exhausted'))).toHaveLength(2);
  nextDay();
  const repeatedQuestion = await workers[0]?.requestModel(
    world,
    scoreOf(`counted ${lettersOf(13)}`),
  );
  expect(repeatedQuestion?.kind).toBe('answered');
});

test('a stored reply is free, also with an exhausted budget', async () => {
  const models = { poor: { budget: { day: { requests: 1 } } } };
  const { requestModel } = testModel.openProcess({ models }, { name: 'poor' });
  nextDay();
  const firstReply = await requestModel(world, scoreOf('the only one'));
  expect(await requestModel(world, scoreOf('one too many'))).toMatchObject({ why: 'budget' });
  expect(await requestModel(world, scoreOf('the only one'))).toEqual(firstReply);
});

test("money and tokens are corrected to the reply's usage; refusals are free", async () => {
  const price = { input: '100', output: '1000' };
  const budget = { day: { cost: '1', tokens: 100_000 } };
  const file = modelSchema.parse({ models: { priced: { price, budget } } });
  const { requestModel } = testModel.openProcess(
    { models: { priced: { price, budget } } },
    { name: 'priced' },
  );
  nextDay();
  server.script(['broken', 'broken', 'broken']);
  expect(await requestModel(world, scoreOf('refused'))).toMatchObject({ why: 'failed' });
  expect(await requestModel(world, scoreOf('priced'))).toMatchObject({ kind: 'answered' });
  const settings = { ...settingsFor(server, file), name: 'priced' };
  const dayBudgets = (await listBudgets(world, db, settings)).filter(({ span }) => span === 'day');
  // 75 characters of request and 12 of reply, four per token.
  const [prompt, completion] = [19, 3];
  const cost = (prompt * 100 + completion * 1000) / 1_000_000;
  expect(dayBudgets.filter(({ model }) => model === 'priced')).toEqual([
    { model: 'priced', span: 'day', unit: 'requests', used: 4, limit: null, remaining: null },
    {
      model: 'priced',
      span: 'day',
      unit: 'tokens',
      used: prompt + completion,
      limit: 100_000,
      remaining: 100_000 - prompt - completion,
    },
    { model: 'priced', span: 'day', unit: 'cost', used: cost, limit: 1, remaining: 1 - cost },
  ]);
});

test('does not send a question that could exceed the budget', async () => {
  const price = { input: '1000', output: '100000' };
  const models = { dear: { price, budget: { hour: { cost: '1' } } } };
  const { requestModel } = testModel.openProcess({ models }, { name: 'dear' });
  expect(await requestModel(world, scoreOf('far too dear'))).toMatchObject({ why: 'budget' });
  expect(server.billed.filter(({ model }) => model === 'dear')).toEqual([]);
});

test("workers together stay within a server's limit", async () => {
  const limitedServer = await openModelServer({ clock: world.clock, requestsPerMinute: 120 });
  const models = { paced: { requestsPerMinute: 100, concurrency: 4 } };
  const options = { url: limitedServer.url, name: 'paced' };
  const workers = [
    testModel.openProcess({ models }, options),
    testModel.openProcess({ models }, options),
  ];
  const startedAt = world.clock.now();
  const requests = Array.from({ length: 60 }, (_, index) =>
    workers[index % 2]?.requestModel(
      world,
      scoreOf(`paced ${lettersOf(index % 26)} ${lettersOf(Math.floor(index / 26))}`),
    ),
  );
  const results = await Promise.all(requests);
  expect(results.filter((result) => result?.kind !== 'answered')).toEqual([]);
  expect(limitedServer.refusedCount()).toBe(0);
  expect(limitedServer.maxRunning()).toBeLessThanOrEqual(8);
  // 60 requests, 600 ms apart.
  expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(59 * 600);
  await limitedServer.close();
});

test('slows all workers after a rate-limit response, until requests succeed again', async () => {
  const limitedServer = await openModelServer({ clock: world.clock, requestsPerMinute: 30 });
  const options = { url: limitedServer.url, name: 'unpaced' };
  const { requestModel } = testModel.openProcess({ queueTimeoutSeconds: 900 }, options);
  const results = await Promise.all(
    Array.from({ length: 45 }, (_, index) =>
      requestModel(
        world,
        scoreOf(`unpaced ${lettersOf(index % 26)} ${lettersOf(Math.floor(index / 26))}`),
      ),
    ),
  );
  expect(results.filter((result) => result.kind !== 'answered')).toEqual([]);
  expect(limitedServer.billed).toHaveLength(45);
  expect((await findRateState(db, 'unpaced'))?.intervalMs).toBeGreaterThan(0);
  // Without configuration, only a few requests are refused.
  expect(limitedServer.refusedCount()).toBeLessThan(30);
  await limitedServer.close();
});

test('operators route steps to known models with optimistic locking', async () => {
  const file = modelSchema.parse({ models: { small: {} }, steps: { digest: 'large' } });
  const settings = { ...settingsFor(server, file), name: 'usual' };
  const stateBefore = await viewRouting(db, settings);
  expect(stateBefore).toMatchObject({ version: 0, models: ['usual', 'small', 'large'] });
  const withoutRoute = Object.fromEntries(stateBefore.routes.map(({ step }) => [step, null]));
  const setSteps = (steps: Record<string, string | null>, version: number) =>
    inTransaction(db, (tx) =>
      changeModelRouting(world, tx, settings, {
        version,
        steps: { ...withoutRoute, ...steps } as never,
      }),
    );
  expect(await setSteps({ score: 'huge' }, 0)).toEqual({
    kind: 'unknown_model',
    step: 'score',
    model: 'huge',
  });
  const changeResult = {
    kind: 'changed',
    before: {},
    after: { score: 'small', write: 'built-in' },
  };
  expect(await setSteps({ score: 'small', write: 'built-in' }, 0)).toEqual(changeResult);
  expect(await setSteps({ score: 'usual' }, 0)).toEqual({ kind: 'conflict' });
  expect(await setSteps({ score: 'small', write: 'built-in' }, 1)).toEqual({ kind: 'unchanged' });
  const { requestModel } = testModel.openProcess({ models: { small: {} } });
  expect(await requestModel(world, scoreOf('by an operator'))).toMatchObject({ model: 'small' });
  const write = { ...scoreOf('by an operator'), step: 'write' as const };
  expect(await requestModel(world, write)).toEqual({ kind: 'built_in', why: 'unconfigured' });
  expect(await setSteps({}, 1)).toMatchObject({ kind: 'changed', after: {} });
});
