// Input of a new or changed key, and its validation problems by field.
import { readNetworks } from '../../kernel/client-address/networks.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
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

/** The fields that its owner may change later. */
export type KeyLimits = Omit<KeyInput, 'accountId' | 'kind' | 'livemode'>;

export const KEY_NAME_MAX = 100;
const NETWORKS_MAX = 50;
/** Ten million yuan in micro-fen: sums of such amounts stay within the database's number range. */
const BUDGET_MAX = 1_000_000_000n * 1_000_000n;

type Field = 'name' | 'networks' | 'budget' | 'expiresAt';

/** `message`: English text for the client. */
export type KeyProblem = { readonly message: string };

/** Returns the problems; empty: the key can be created. */
export function keyInputProblems(
  { name, networks = [], budget, expiresAt }: KeyLimits,
  now: number,
): Readonly<Partial<Record<Field, KeyProblem>>> {
  const problems: Partial<Record<Field, KeyProblem>> = {};
  const length = Array.from(name.trim()).length;
  if (length < 1 || length > KEY_NAME_MAX) {
    problems.name = { message: `A key's name has 1 to ${KEY_NAME_MAX} letters.` };
  }
  const problem = networksProblem(networks);
  if (problem !== null) problems.networks = { message: problem };
  if (budget && (budget.amount < 0n || budget.amount > BUDGET_MAX)) {
    problems.budget = { message: 'A budget is between 0 and 10,000,000 CNY.' };
  }
  if (expiresAt !== undefined && expiresAt !== null && expiresAt <= now) {
    problems.expiresAt = { message: 'A key cannot expire in the past.' };
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
