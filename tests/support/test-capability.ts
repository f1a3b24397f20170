// Defines a capability for tests of the call path. Its input determines its behaviour, and it
// records the inputs of its runs. It is registered and called like any other capability.
import { z } from 'zod';
import type { Capability, Outcome, RunContext } from '../../src/gateway/capabilities/capability.ts';
import { Fault } from '../../src/kernel/errors/fault.ts';

const input = z.strictObject({
  text: z.string().min(1).max(200),
  /**
   * The behaviour: a result, an empty result, a failure, a defect, or a refusal of the input. The
   * others are a measured length, a wait, and a balance that is too small.
   */
  does: z
    .enum(['answer', 'find_nothing', 'fail', 'throw', 'fault', 'measure', 'wait', 'insufficient'])
    .default('answer'),
  code: z
    .enum(['media_unavailable', 'upstream_error', 'upstream_timeout', 'capability_unavailable'])
    .default('upstream_error'),
  seconds: z.int().min(0).max(100_000).default(60),
});

type Input = z.infer<typeof input>;

export type TestCapability = {
  readonly capability: Capability<Input>;
  /** The `text` of each run, in order. */
  readonly runs: string[];
  /** Resumes waiting runs. */
  release(): void;
  /** Resolves when at least this number of runs waits. */
  waitForRuns(count: number): Promise<void>;
  /** Sets the result of `missing()`. */
  setMissing(name: string | null): void;
};

export type CallBehaviour = {
  readonly id: string;
  readonly sku: 'social_data' | 'transcribe' | 'ocr' | null;
  readonly key?: 'sk' | 'ak';
  readonly method?: 'POST' | 'GET';
};

export function testCapability({
  id,
  sku,
  key = 'sk',
  method = 'POST',
}: CallBehaviour): TestCapability {
  const runs: string[] = [];
  let missingName: string | null = null;
  let waitingCalls: (() => void)[] = [];
  let watchers: { readonly count: number; readonly resolve: () => void }[] = [];
  const waitForRelease = () =>
    new Promise<void>((resolve) => {
      waitingCalls.push(resolve);
      for (const { resolve } of watchers.filter(({ count }) => waitingCalls.length >= count))
        resolve();
      watchers = watchers.filter(({ count }) => waitingCalls.length < count);
    });
  const isMeasured = sku === 'transcribe';
  const runCapability = async (context: RunContext, input: Input): Promise<Outcome> => {
    runs.push(input.text);
    const data = { text: input.text };
    if (input.does === 'wait') await waitForRelease();
    switch (input.does) {
      case 'find_nothing':
        return { kind: 'done', data: { text: '' }, quantity: 0 };
      case 'fail':
        return {
          kind: 'failed',
          code: input.code,
          message: `The input requested the failure ${input.code}.`,
        };
      case 'throw':
        throw new Error('a defect of the test capability');
      case 'fault':
        throw new Fault('invalid_request', 'The test capability refuses this input.');
      case 'insufficient':
        return { kind: 'insufficient' };
      case 'measure': {
        const kind = await context.adjustHold(input.seconds);
        if (kind === 'insufficient') return { kind };
        return { kind: 'done', data, quantity: input.seconds };
      }
      default:
        return { kind: 'done', data, quantity: isMeasured ? 60 : 1 };
    }
  };
  return {
    runs,
    release: () => {
      for (const resume of waitingCalls) resume();
      waitingCalls = [];
    },
    waitForRuns: (count) =>
      waitingCalls.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => {
            watchers.push({ count, resolve });
          }),
    setMissing: (name) => {
      missingName = name;
    },
    capability: {
      id,
      name: `Test ${id}`,
      method,
      path: `/api/v1/capabilities/${id}`,
      key,
      isAsync: false,
      input,
      check: ({ text }) => {
        if (text === 'refused') throw new Fault('invalid_request', 'The field "text" is refused.');
      },
      quote: () =>
        isMeasured
          ? { sku, unit: 'per_minute', quantity: 60, increment: 'second' }
          : { sku, unit: 'per_call', quantity: 1, increment: 'call' },
      run: runCapability,
      sandbox: runCapability,
      missing: async () => missingName,
      health: () => ({ healthy: true, providers: [] }),
    },
  };
}
