import { expect, test } from 'vitest';
import { mayUseModel, mayUseRelay } from './allow-models.ts';

test.each([
  [[], 'any', true, true],
  [['chat'], 'any', true, true],
  [['search'], 'any', false, false],
  [['model:small'], 'small', true, true],
  [['model:small'], 'small-2', true, false],
  [['search', 'model:small*'], 'small-2', true, true],
  // A list of models restricts a key that `chat` alone would permit for all models.
  [['chat', 'model:small'], 'large', true, false],
])(
  'scopes %j, model %s: relay permitted %j, model permitted %j',
  (scopes, model, isRelayPermitted, isModelPermitted) => {
    expect([mayUseRelay(scopes), mayUseModel(scopes, model)]).toEqual([
      isRelayPermitted,
      isModelPermitted,
    ]);
  },
);
