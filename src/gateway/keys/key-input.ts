// Defines the input of a new or changed key, and finds the problems of each field.
import { readNetworks } from '../../kernel/client-address/networks.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import { MAX_AMOUNT } from '../../kernel/money.ts';
import type { KeyBudgetLimit } from './key.ts';
import type { KeyKind } from './key-text.ts';

export type KeyInput = {
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly livemode: boolean;
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly networks?: readonly string[];
  readonly budget?: KeyBudgetLimit | null;
  /** Absent: broken streams may continue at another upstream. */
  readonly mayContinue?: boolean;
  /** Epoch ms. */
  readonly expiresAt?: number | null;
};

/** The fields that the owner of a key may change later. */
export type KeyLimits = Omit<KeyInput, 'accountId' | 'kind' | 'livemode'>;

/**
 * Limit of active keys of an account in one mode. The rate limit applies to each key, so without
 * this limit more keys multiply the rate.
 */
export const DEFAULT_MAX_KEYS = 50;

export const MAX_KEY_NAME_LENGTH = 100;
const MAX_NETWORKS = 50;

type Field = 'name' | 'networks' | 'budget' | 'expiresAt';

/** `message`: English text for the client. */
export type KeyProblem = { readonly message: string };

/** Returns the problems; empty: the key can be created. */
export function findKeyInputProblems(
  { name, networks = [], budget, expiresAt }: KeyLimits,
  now: number,
): Readonly<Partial<Record<Field, KeyProblem>>> {
  const problems: Partial<Record<Field, KeyProblem>> = {};
  const length = Array.from(name.trim()).length;
  if (length < 1 || length > MAX_KEY_NAME_LENGTH) {
    problems.name = { message: `A key's name has 1 to ${MAX_KEY_NAME_LENGTH} characters.` };
  }
  const problem = findNetworksProblem(networks);
  if (problem !== null) problems.networks = { message: problem };
  if (budget && (budget.amount < 0n || budget.amount > MAX_AMOUNT)) {
    problems.budget = { message: 'A budget is between 0 and 10,000,000 CNY.' };
  }
  if (expiresAt !== undefined && expiresAt !== null && expiresAt <= now) {
    problems.expiresAt = { message: 'A key cannot expire in the past.' };
  }
  return problems;
}

function findNetworksProblem(networks: readonly string[]): string | null {
  if (networks.length > MAX_NETWORKS) return `A key has at most ${MAX_NETWORKS} networks.`;
  try {
    readNetworks(networks, 'networks');
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
