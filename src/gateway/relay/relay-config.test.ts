import { expect, test } from 'vitest';
import { openRoutes, relaySchema, routeOfHold } from './relay-config.ts';

const { models } = relaySchema.parse({
  models: {
    alone: { maxInput: 100 },
    wide: { maxInput: 900 },
    open: {},
    'with-wide': { maxInput: 100, contextFallbacks: ['wide'] },
    'with-small': { maxInput: 950, contextFallbacks: ['wide'] },
    'with-open': { maxInput: 100, contextFallbacks: ['wide', 'open'] },
  },
});

test.each([
  ['alone', 100],
  ['with-wide', 900],
  ['with-small', 950],
  ['with-open', undefined],
  ['open', undefined],
])('the hold of %s covers an input of at most %s tokens', (model, maxInput) => {
  expect(routeOfHold(openRoutes(models), model).maxInput).toBe(maxInput);
});

const upstream = { name: 'north', url: 'http://127.0.0.1/v1' };
const limitsOf = (limits: object) => {
  const [parsedUpstream] = relaySchema.parse({ upstreams: [{ ...upstream, ...limits }] }).upstreams;
  return [parsedUpstream?.firstTokenMs, parsedUpstream?.stallMs];
};

test.each([
  ['absent', {}, [60_000, 30_000]],
  ['by their names', { firstTokenMs: 1_000, stallMs: 2_000 }, [1_000, 2_000]],
  ['by their former names', { firstByteMs: 1_000, idleMs: 2_000 }, [1_000, 2_000]],
  ['one of each', { firstByteMs: 1_000, stallMs: 2_000 }, [1_000, 2_000]],
])('reads the time limits of an upstream: %s', (_name, limits, expected) => {
  expect(limitsOf(limits)).toEqual(expected);
});

test('refuses two names of one limit, and reports each former name', () => {
  const limits = { firstByteMs: 1_000, firstTokenMs: 1_000, idleMs: 2_000, stallMs: 3_000 };
  const { error } = relaySchema.safeParse({ upstreams: [{ ...upstream, ...limits }] });
  expect(error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)).toEqual([
    'upstreams.0.firstByteMs is the former name of firstTokenMs: leave it out',
    'upstreams.0.idleMs is the former name of stallMs: leave it out',
  ]);
});
