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
