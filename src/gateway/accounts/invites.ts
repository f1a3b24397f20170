// Creates, lists and revokes invitation codes for sign-up. Each code creates one account. The text
// of a code is returned once, at its creation.
import { createHmac } from 'node:crypto';
import { base32 } from '../../kernel/crypto/base32.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  type InviteRow,
  insertInvites,
  listInviteRows,
  revokeInviteRow,
} from '../../store/gateway/account-invites.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';

const COUNT_MAX = 100;
const DAYS_MAX = 365;

export type InviteInput = {
  readonly count: number;
  readonly days: number;
  /** The intended recipient, as a note for operators. */
  readonly note: string;
  /** The operator who creates the codes. */
  readonly madeBy: string;
};

/** `code`: the code itself, which is shown only once. */
export type CreatedInvite = { readonly id: string; readonly code: string };

export type Invite = {
  readonly id: string;
  /** The first characters of its code. */
  readonly prefix: string;
  readonly note: string;
  readonly madeBy: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly state: 'open' | 'used' | 'revoked' | 'expired';
  /** The account that used the code; null: none. */
  readonly accountId: string | null;
};

/** Throws a Fault `invalid_request` that names the invalid input. */
export async function makeInvites(
  world: World,
  db: Db,
  { count, days, note, madeBy }: InviteInput,
): Promise<readonly CreatedInvite[]> {
  requireWithin('The number of codes', count, COUNT_MAX);
  requireWithin('The days that codes are valid', days, DAYS_MAX);
  if (note.length > 200) throw new Fault('invalid_request', 'A note has at most 200 characters.');
  const hashOf = await openInviteHash(world, db);
  const now = world.clock.now();
  const entries = Array.from({ length: count }, () => ({
    id: `inv_${world.ids.next()}`,
    code: groupCode(base32(world.random.bytes(10))),
  }));
  await insertInvites(
    db,
    entries.map(({ id, code }) => ({
      id,
      note,
      prefix: code.slice(0, 4),
      hash: hashOf(code),
      made_by: madeBy,
      created_at: now,
      expires_at: now + days * DAY_MS,
    })),
  );
  return entries;
}

/** `abcd-efgh-ijkl-mnop`. */
const groupCode = (text: string) => (text.match(/.{4}/g) ?? []).join('-');

function requireWithin(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new Fault('invalid_request', `${name} must be a whole number from 1 to ${max}.`);
}

/** Returns the hash function of codes, which ignores dashes, spaces and case. */
export async function openInviteHash(world: World, db: Db): Promise<(code: string) => Buffer> {
  const secret = await readSharedSecret(world, db, 'invites');
  return (code) => {
    const text = code.toLowerCase().replaceAll(/[^a-z2-7]/g, '');
    return createHmac('sha256', secret).update(text).digest();
  };
}

/** Newest first. */
export async function listInvites(world: World, db: Db, limit = 200): Promise<readonly Invite[]> {
  const now = world.clock.now();
  return (await listInviteRows(db, limit)).map((row) => ({
    id: row.id,
    prefix: row.prefix,
    note: row.note,
    madeBy: row.made_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: stateOf(row, now),
    accountId: row.account_id,
  }));
}

function stateOf(row: InviteRow, now: number): Invite['state'] {
  if (row.used_at !== null) return 'used';
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at <= now ? 'expired' : 'open';
}

/** False: the code does not exist, or was used or revoked. */
export async function revokeInvite(world: World, db: Db, id: string): Promise<boolean> {
  return revokeInviteRow(db, id, world.clock.now());
}
