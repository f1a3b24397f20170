// What somebody may wish a key to be, and what is wrong with a wish, by the field that it is about.
import { readNetworks } from '../../kernel/client-address/networks.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Budget } from './key.ts';
import type { KeyKind } from './key-text.ts';

export type KeyWish = {
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly livemode: boolean;
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly networks?: readonly string[];
  readonly budget?: Budget | null;
  /** Epoch ms. */
  readonly expiresAt?: number | null;
};

/** What its owner may change of it later. */
export type KeyLimits = Omit<KeyWish, 'accountId' | 'kind' | 'livemode'>;

export const KEY_NAME_MAX = 100;
const NETWORKS_MAX = 50;
/** What the database's numbers hold exactly, with room to add up; ten million yuan. */
const BUDGET_MAX = 1_000_000_000n * 1_000_000n;

type Field = 'name' | 'networks' | 'budget' | 'expiresAt';

/** `said`: for whoever wishes, in English. */
export type WishProblem = { readonly said: string };

/** Empty: it can be made. */
export function keyWishProblems(
  { name, networks = [], budget, expiresAt }: KeyLimits,
  now: number,
): Readonly<Partial<Record<Field, WishProblem>>> {
  const problems: Partial<Record<Field, WishProblem>> = {};
  const length = Array.from(name.trim()).length;
  if (length < 1 || length > KEY_NAME_MAX) {
    problems.name = { said: `A key's name has 1 to ${KEY_NAME_MAX} letters.` };
  }
  const wrong = networksProblem(networks);
  if (wrong !== null) problems.networks = { said: wrong };
  if (budget && (budget.amount < 0n || budget.amount > BUDGET_MAX)) {
    problems.budget = { said: 'A budget is between 0 and 10,000,000 CNY.' };
  }
  if (expiresAt !== undefined && expiresAt !== null && expiresAt <= now) {
    problems.expiresAt = { said: 'A key cannot expire in the past.' };
  }
  return problems;
}

function networksProblem(networks: readonly string[]): string | null {
  if (networks.length > NETWORKS_MAX) return `A key has at most ${NETWORKS_MAX} networks.`;
  try {
    readNetworks(networks, 'networks');
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
