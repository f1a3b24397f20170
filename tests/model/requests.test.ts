// Model requests: a paid reply is stored and reused, and failures never cause repeated payments.
import { expect, test } from 'vitest';
import type { ModelFault } from '../../demo/upstream/model/faulty-replies.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { findRateState } from '../../src/store/model/model-rate-states.ts';
import { listUnknownRequests } from '../../src/store/model/model-requests.ts';
import { listModelDays } from '../../src/store/model/model-spending.ts';
import { MODEL, openTestModel, scoreOf } from './test-model.ts';

const testModel = await openTestModel();
const { world, db, server } = testModel;

const scoreResult = (score: number) => {
  return { kind: 'answered', value: { score }, receipt: expect.any(String), model: MODEL };
};

/** The server's usual reply. */
const normalReply = scoreResult(12);

async function countRequests(work: () => Promise<unknown>): Promise<number> {
  const requestsBefore = server.billed.length;
  await work();
  return server.billed.length - requestsBefore;
}

test('pays for a question once and reuses the reply, also in another worker', async () => {
  const [firstModel, secondModel] = [testModel.openProcess(), testModel.openProcess()];
  const question = scoreOf('a thin text');
  const requestCount = await countRequests(async () => {
    const firstReply = await firstModel.requestModel(world, question);
    expect(firstReply).toEqual(normalReply);
    expect(await firstModel.requestModel(world, question)).toEqual(firstReply);
    expect(await secondModel.requestModel(world, question)).toEqual(firstReply);
  });
  expect(requestCount).toBe(1);
});

test('concurrent workers with one question send it once', async () => {
  const models = [testModel.openProcess(), testModel.openProcess(), testModel.openProcess()];
  const question = scoreOf('asked by everybody');
  const requestCount = await countRequests(async () => {
    const pendingReplies = models.flatMap((model) => [
      model.requestModel(world, question),
      model.requestModel(world, question),
    ]);
    expect(await Promise.all(pendingReplies)).toEqual(pendingReplies.map(() => normalReply));
  });
  expect(requestCount).toBe(1);
});

test.each([
  ['another turn', { turn: 1 }],
  ['another prompt', { prompt: { ...scoreOf('').prompt, version: 'v2' } }],
  ['another input', { input: '<<<a text\nother words\na>>>' }],
])('%s makes a different question', async (_what, overrides) => {
  const { requestModel } = testModel.openProcess();
  const question = scoreOf('varied');
  await requestModel(world, question);
  expect(await countRequests(() => requestModel(world, { ...question, ...overrides }))).toBe(1);
});

test('the request contains the task, the user agent and the idempotency key', async () => {
  await testModel.openProcess().requestModel(world, scoreOf('a whole request'));
  const { messages, ...otherFields } = server.requests.at(-1) ?? {};
  expect(otherFields).toEqual({
    model: MODEL,
    temperature: 0,
    max_tokens: 356,
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'score',
        strict: true,
        schema: {
          type: 'object',
          properties: { score: { type: 'integer', minimum: 0, maximum: 100 } },
          required: ['score'],
          additionalProperties: false,
        },
      },
    },
  });
  expect(messages).toEqual([
    { role: 'system', content: scoreOf('').prompt.system },
    { role: 'user', content: '<<<a text\na whole request\na>>>' },
  ]);
  expect(server.billed.at(-1)?.idempotencyKey).toMatch(/^[0-9a-f]{24}$/);
});

const usableForms: readonly ModelFault[] = ['prose', 'fenced', 'thinking', 'parts', 'no-usage'];

test.each(usableForms)('accepts a reply in the form of %s', async (fault) => {
  server.script([fault]);
  expect(await testModel.openProcess().requestModel(world, scoreOf(`told ${fault}`))).toEqual(
    normalReply,
  );
});

const repairableForms: readonly ModelFault[] = [
  'other-shape',
  'not-json',
  'empty',
  'length',
  'deep',
];

test.each(repairableForms)('repairs a reply that is %s once', async (fault) => {
  const { requestModel } = testModel.openProcess();
  server.script([fault]);
  const question = scoreOf(`repaired ${fault}`);
  expect(
    await countRequests(async () =>
      expect(await requestModel(world, question)).toEqual(normalReply),
    ),
  ).toBe(2);
  const repair = server.requests.at(-1)?.messages as readonly { content: string }[];
  expect(repair.at(-1)?.content).toMatch(/^That answer cannot be used: .+ Answer once more/);
  // Both requests were paid, and both replies are stored.
  expect(
    await countRequests(async () =>
      expect(await requestModel(world, question)).toEqual(normalReply),
    ),
  ).toBe(0);
});

test.each(repairableForms)('uses the rules for a reply that is %s twice', async (fault) => {
  const { requestModel } = testModel.openProcess();
  server.script([fault, fault]);
  const question = scoreOf(`hopeless ${fault}`);
  const refusedResult = { kind: 'built_in', why: 'refused', detail: expect.any(String) };
  const repeatedQuestion = async () =>
    expect(await requestModel(world, question)).toEqual(refusedResult);
  expect(await countRequests(repeatedQuestion)).toBe(2);
  expect(await countRequests(repeatedQuestion)).toBe(0);
});

test("the repair request contains the guard's message", async () => {
  const { requestModel } = testModel.openProcess();
  const checkReply = () => 'the title names Acme, which the text does not';
  const result = await requestModel(world, scoreOf('guarded', { check: checkReply }));
  expect(result).toMatchObject({ kind: 'built_in', why: 'refused', detail: checkReply() });
  const repair = server.requests.at(-1)?.messages as readonly { content: string }[];
  expect(repair.at(-1)?.content).toContain(checkReply());
});

test.each(['refusal', 'filtered'] as const)(
  'does not repeat a request that the model declines (%s)',
  async (fault) => {
    server.script([fault]);
    const question = scoreOf(`declined ${fault}`);
    const requestCount = await countRequests(async () =>
      expect(await testModel.openProcess().requestModel(world, question)).toMatchObject({
        why: 'refused',
      }),
    );
    expect(requestCount).toBe(1);
  },
);

test('removes characters that the database refuses', async () => {
  server.script(['nul']);
  expect(await testModel.openProcess().requestModel(world, scoreOf('with a nul'))).toMatchObject({
    kind: 'answered',
  });
});

test.each(['busy', 'busy-silent', 'broken', 'resting'] as const)(
  'retries a server that is %s without cost',
  async (fault) => {
    server.script([fault, fault]);
    const question = scoreOf(`later ${fault}`);
    const requestCount = await countRequests(async () =>
      expect(await testModel.openProcess().requestModel(world, question)).toEqual(normalReply),
    );
    expect(requestCount).toBe(1);
  },
);

test('pauses for a failing server and resumes afterwards', async () => {
  const { requestModel } = testModel.openProcess();
  server.setFault('broken');
  const countBefore = server.requests.length;
  for (let index = 0; index < 10; index += 1) {
    expect(await requestModel(world, scoreOf(`broken ${'abcdefghij'[index]}`))).toMatchObject({
      why: 'failed',
    });
  }
  // Three attempts per question would be thirty.
  expect(server.requests.length - countBefore).toBeLessThanOrEqual(6);
  server.setFault(null);
  testModel.passTime(700_000);
  expect(await requestModel(world, scoreOf('broken d'))).toEqual(normalReply);
});

test('reports a wrong key once and sends no further requests', async () => {
  const model = testModel.openProcess({}, { key: 'wrong' });
  const countBefore = testModel.logged.length;
  for (let index = 0; index < 5; index += 1) {
    expect(await model.requestModel(world, scoreOf(`locked ${index}`))).toMatchObject({
      why: 'failed',
    });
  }
  const lines = testModel.logged
    .slice(countBefore)
    .filter((line) => line.includes('refuses the requests'));
  expect(lines).toHaveLength(1);
  expect(lines.join('')).not.toContain('wrong');
});

test.each(['slow', 'cut', 'gateway-timeout'] as const)(
  'a request with a lost reply (%s) waits, is repeated once, and is paid at most twice',
  async (fault) => {
    const { requestModel } = testModel.openProcess({
      timeoutSeconds: 20,
      unknownOutcomeRetrySeconds: 600,
    });
    const question = scoreOf(`lost ${fault}`);
    const expectReason = async (expected: string) =>
      expect(await requestModel(world, question)).toMatchObject({
        kind: 'built_in',
        why: expected,
      });
    server.script([fault]);
    await expectReason('failed');
    const countBefore = server.requests.length;
    await expectReason('held');
    expect(server.requests.length).toBe(countBefore);
    const unknownRequests = await listUnknownRequests(db, { now: world.clock.now(), limit: 10 });
    expect(unknownRequests).toMatchObject([{ step: 'score', model: MODEL, sent: 1, released: 0 }]);
    testModel.passTime(601_000);
    server.script([fault]);
    await expectReason('failed');
    testModel.passTime(601_000);
    await expectReason('failed');
    testModel.passTime(DAY_MS);
    await expectReason('failed');
    expect(server.requests.length).toBe(countBefore + 1);
  },
);

test.each(['slow', 'cut'] as const)(
  'the second request after a lost reply (%s) returns the reply',
  async (fault) => {
    const { requestModel } = testModel.openProcess({
      timeoutSeconds: 20,
      unknownOutcomeRetrySeconds: 60,
    });
    const question = scoreOf(`found ${fault}`);
    server.script([fault]);
    expect(await requestModel(world, question)).toMatchObject({ why: 'failed' });
    testModel.passTime(61_000);
    expect(await requestModel(world, question)).toEqual(normalReply);
  },
);

test.each(['endless', 'huge', 'error-in-200', 'not-a-completion'] as const)(
  'does not pay soon again for a question with an unusable reply (%s)',
  async (fault) => {
    const { requestModel } = testModel.openProcess();
    server.script([fault]);
    const question = scoreOf(`useless ${fault}`);
    const expectFailed = async () =>
      expect(await requestModel(world, question)).toMatchObject({ why: 'failed' });
    expect(await countRequests(expectFailed)).toBe(1);
    expect(await countRequests(expectFailed)).toBe(0);
  },
);

test('does not follow a redirect', async () => {
  server.script(['redirect']);
  const result = await testModel.openProcess().requestModel(world, scoreOf('sent elsewhere'));
  expect(result).toMatchObject({ why: 'failed', detail: expect.stringContaining('HTTP 307') });
});

test('stores unsupported fields once for all workers', async () => {
  const findStoredDialect = async (fault: ModelFault, name: string) => {
    const model = testModel.openProcess({}, { name });
    server.setFault(fault);
    expect(await model.requestModel(world, scoreOf(`dialect ${fault}`))).toMatchObject({
      kind: 'answered',
    });
    const countBefore = server.requests.length;
    expect(
      await testModel.openProcess({}, { name }).requestModel(world, scoreOf(`again ${fault}`)),
    ).toMatchObject({
      kind: 'answered',
    });
    expect(server.requests.length).toBe(countBefore + 1);
    server.setFault(null);
    return (await findRateState(db, name))?.dialect;
  };
  const defaultDialect = { format: 'strict_schema', limit: 'max_tokens', hasTemperature: true };
  expect(await findStoredDialect('no-schema', 'm-schema')).toEqual({
    ...defaultDialect,
    format: 'json_object',
  });
  expect(await findStoredDialect('no-format', 'm-format')).toEqual({
    ...defaultDialect,
    format: 'text',
  });
  expect(await findStoredDialect('no-temperature', 'm-warm')).toEqual({
    ...defaultDialect,
    hasTemperature: false,
  });
  expect(await findStoredDialect('no-max-tokens', 'm-new')).toEqual({
    ...defaultDialect,
    limit: 'max_completion_tokens',
  });
});

test('follows the routing of steps, including the rules', async () => {
  const { requestModel } = testModel.openProcess({
    steps: { score: 'other-model', write: 'built-in' },
  });
  expect(await requestModel(world, scoreOf('routed'))).toMatchObject({ model: 'other-model' });
  expect(await requestModel(world, { ...scoreOf('routed'), step: 'write' })).toEqual({
    kind: 'built_in',
    why: 'unconfigured',
  });
});

test('does not send an aborted question', async () => {
  const { requestModel } = testModel.openProcess();
  const abortController = new AbortController();
  abortController.abort(new Error('gone'));
  const countBefore = server.requests.length;
  await expect(
    requestModel(world, scoreOf('gone', { signal: abortController.signal })),
  ).rejects.toThrow('gone');
  expect(server.requests.length).toBe(countBefore);
});

test('sums requests, replies and unknown outcomes per day, step and model', async () => {
  const days = await listModelDays(db, '2026-01-01');
  const scoreDays = days.filter(({ model, step }) => model === MODEL && step === 'score');
  const sum = (amountOf: (row: (typeof scoreDays)[number]) => number) =>
    scoreDays.reduce((total, row) => total + amountOf(row), 0);
  expect(sum(({ answers }) => answers)).toBeGreaterThan(20);
  expect(sum(({ requests }) => requests)).toBeGreaterThan(sum(({ answers }) => answers));
  expect(sum(({ unknown }) => unknown)).toBe(5);
  expect(scoreDays.every(({ cost }) => cost === 0n)).toBe(true);
});
