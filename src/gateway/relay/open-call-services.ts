// Opens the state that all calls of a process share, except connections and accounting.
import type { World } from '../../kernel/world.ts';
import { type EstimateLimit, openEstimateLimit } from './prices/estimate-limit.ts';
import { openTokenCounter, type TokenCounter } from './tokens/token-counter.ts';

export type CallServices = {
  readonly counter: TokenCounter;
  readonly estimates: EstimateLimit;
  readonly keptRequestBudget: CharacterBudget;
};

/** Limit of the requests that are kept while their streams run. Relay contract, 3.4. */
const MAX_KEPT_CHARACTERS = 256 * 1024 * 1024;

export const openCallServices = (world: World): CallServices => ({
  counter: openTokenCounter(world),
  estimates: openEstimateLimit(world.clock),
  keptRequestBudget: openCharacterBudget(MAX_KEPT_CHARACTERS),
});

export type CharacterBudget = {
  /** Returns the release function; null: the budget is exceeded. */
  reserve(characters: number): (() => void) | null;
};

function openCharacterBudget(maxCharacters: number): CharacterBudget {
  let usedCharacters = 0;
  return {
    reserve: (characters) => {
      if (usedCharacters + characters > maxCharacters) return null;
      usedCharacters += characters;
      let isReserved = true;
      return () => {
        if (isReserved) usedCharacters -= characters;
        isReserved = false;
      };
    },
  };
}
