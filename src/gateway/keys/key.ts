// Defines the key that other modules use: owner and limits, without the text of the key.
import type { ApiKeyRow } from '../../store/gateway/api-keys.ts';
import type { KeyKind } from './key-text.ts';

/** `amount`: micro-fen. */
export type KeyBudgetLimit = {
  readonly amount: bigint;
  readonly period: 'day' | 'month' | 'total';
};

export type Key = {
  readonly id: string;
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly livemode: boolean;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  /** Ids of capabilities; empty: all capabilities of the key's kind. */
  readonly scopes: readonly string[];
  /** Addresses and CIDR ranges; empty: all networks. */
  readonly networks: readonly string[];
  readonly budget: KeyBudgetLimit | null;
  /** False: a broken stream of this key is never continued at another upstream. */
  readonly mayContinue: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** The successor of a rotated key. */
  readonly replacedBy: string | null;
  /** Version, which changes with every edit. */
  readonly version: number;
};

export function keyOf(row: ApiKeyRow): Key {
  const { budget_amount: amount, budget_period: period } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    livemode: row.livemode,
    name: row.name,
    prefix: row.prefix,
    last4: row.last4,
    scopes: row.scopes,
    networks: row.networks,
    budget: amount === null || period === null ? null : { amount: BigInt(amount), period },
    mayContinue: row.may_continue,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    replacedBy: row.replaced_by,
    version: row.version,
  };
}
