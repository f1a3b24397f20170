// `radar account key …`: adds, lists, rotates and revokes keys. Standard output has only the new
// key or the requested list.

import { keyCreatedEvent, SHELL_ORIGIN } from '../../gateway/accounts/security-events.ts';
import { openSecurityLog } from '../../gateway/accounts/security-log.ts';
import {
  type CreatedKey,
  findKey,
  isEnded,
  listKeys,
  makeKey,
  revokeKey,
  rotateKey,
} from '../../gateway/keys/change-keys.ts';
import type { Key, KeyBudgetLimit } from '../../gateway/keys/key.ts';
import { CACHE_MS } from '../../gateway/keys/key-cache.ts';
import type { KeyInput } from '../../gateway/keys/key-input.ts';
import type { KeyKind } from '../../gateway/keys/key-text.ts';
import { isScope, scopesOf } from '../../gateway/keys/scopes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { formatCny, parseCny } from '../../kernel/money.ts';
import { parseWireTime, toWireTime } from '../../kernel/time/calendar.ts';
import { MINUTE_MS } from '../../kernel/time/durations.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';
import { requireAccount, requireExistingAccount } from './find-account.ts';

type NewKeyOptions = {
  readonly kind: string;
  readonly test?: boolean;
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly networks?: readonly string[];
  readonly budget?: string;
  readonly budgetPeriod: string;
  readonly expires?: string;
  /** False: `--no-continuation`. */
  readonly continuation?: boolean;
};

export async function addKey(app: App, accountName: string, options: NewKeyOptions): Promise<void> {
  const { kind, name, scopes = [], networks = [] } = options;
  if (kind !== 'sk' && kind !== 'ak') throw invalidKeyFault(`--kind is sk or ak, not "${kind}".`);
  checkScopes(kind, scopes);
  const expiresAt = parseExpiry(options.expires) ?? null;
  const { budget: amount, budgetPeriod } = options;
  const budget = amount === undefined ? null : parseBudget({ budget: amount, budgetPeriod });
  const livemode = options.test !== true;
  await app.withApp(async ({ world, db, keysPerAccount }) => {
    const { id: accountId } = await requireExistingAccount(db, accountName);
    const mayContinue = options.continuation !== false;
    const limits = { scopes, networks, budget, expiresAt, mayContinue };
    const owner = { accountId, origin: SHELL_ORIGIN };
    const created = await openSecurityLog(world, db, null).record(owner, async (tx) => {
      const input: KeyInput = { accountId, kind, livemode, name, ...limits };
      const outcome = await makeKey(world, tx, input, keysPerAccount);
      return { outcome, event: keyCreatedEvent(livemode, name) };
    });
    printNewKey(app, created);
  });
}

/** Throws a Fault for a scope that this kind of key cannot have. */
export function checkScopes(kind: KeyKind, scopes: readonly string[]): void {
  const unknownScope = scopes.find((scope) => !isScope(kind, scope));
  if (unknownScope === undefined) return;
  const models = kind === 'ak' ? ', model:<id>' : '';
  const allowedScopes = `${scopesOf(kind).join(', ')}${models}`;
  throw invalidKeyFault(
    `--scopes "${unknownScope}" is not a scope of ${kind} keys. They have: ${allowedScopes}.`,
  );
}

/** `false` is `--no-expires` and returns null. Undefined: the option is absent. */
export function parseExpiry(text: string | false | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === false) return null;
  const at = parseWireTime(text);
  if (at === null) throw invalidKeyFault(`--expires "${text}" is no RFC 3339 time.`);
  return at;
}

/** `budget`: the text of the option, or an existing amount. */
export function parseBudget(options: {
  readonly budget: string | KeyBudgetLimit;
  readonly budgetPeriod: string;
}): KeyBudgetLimit {
  const { budget, budgetPeriod: period } = options;
  const amount = typeof budget === 'string' ? parseCny(budget) : budget.amount;
  if (amount === null || amount < 0n)
    throw invalidKeyFault(`--budget "${budget}" is no amount in CNY.`);
  if (period === 'day' || period === 'month' || period === 'total') return { amount, period };
  throw invalidKeyFault(`--budget-period is day, month or total, not "${period}".`);
}

function printNewKey({ terminal }: App, { id, text }: CreatedKey): void {
  terminal.note(`${id}, shown only once:\n`);
  terminal.out(`${text}\n`);
}

export async function listAccountKeys(
  app: App,
  accountName: string,
  isJson: boolean,
): Promise<void> {
  const { keys, now } = await app.withApp(async ({ world, db }) => {
    const { id } = await requireAccount(db, accountName);
    return { keys: await listKeys(db, id), now: world.clock.now() };
  });
  if (isJson) {
    const rows = keys.map((key) => keyRowOf(key, now));
    return app.terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
  }
  app.terminal.out(formatKeyTable(keys, now));
}

function keyRowOf(key: Key, now: number) {
  const time = (at: number | null) => (at === null ? null : toWireTime(at));
  const { budget } = key;
  return {
    id: key.id,
    name: key.name,
    key: `${key.prefix}…${key.last4}`,
    scopes: key.scopes,
    networks: key.networks,
    mayContinue: key.mayContinue,
    isEnded: isEnded(key, now),
    budget: budget && `${formatCny(budget.amount)} CNY ${periodTexts[budget.period]}`,
    createdAt: time(key.createdAt),
    expiresAt: time(key.expiresAt),
    revokedAt: time(key.revokedAt),
    lastUsedAt: time(key.lastUsedAt),
  };
}

const periodTexts = { day: 'a day', month: 'a month', total: 'in all' } as const;

export function formatKeyTable(keys: readonly Key[], now: number): string {
  const head = ['id', 'key', 'name', 'may call', 'from', 'budget', 'last used', 'ends'];
  const cells = keys.map((key) => {
    const row = keyRowOf(key, now);
    const [scopes, networks] = [row.scopes.join(', '), row.networks.join(', ')];
    return [
      ...[row.id, row.key, row.name, scopes || 'everything', networks || 'anywhere'],
      ...[row.budget ?? '–', row.lastUsedAt ?? 'never'],
      row.isEnded ? 'ended' : (row.expiresAt ?? '–'),
    ];
  });
  return textTable([head, ...cells]);
}

export async function rotateKeyById(app: App, id: string, overlap: string): Promise<void> {
  if (!/^\d{1,6}$/.test(overlap))
    throw invalidKeyFault(`--overlap "${overlap}" is no number of minutes.`);
  const overlapMs = Number(overlap) * MINUTE_MS;
  const rotated = await app.withApp(async ({ world, db, keysPerAccount: maxKeys }) => {
    const key = await findKey(db, id);
    if (key === null) throw unknownKeyFault(id);
    const owner = { accountId: key.accountId, origin: SHELL_ORIGIN };
    return openSecurityLog(world, db, null).record(owner, async (tx) => {
      const outcome = await rotateKey(world, tx, { id, overlapMs, maxKeys });
      const event = outcome.kind === 'rotated' ? keyCreatedEvent(key.livemode, key.name) : null;
      return { outcome, event };
    });
  });
  if (rotated.kind === 'not_found') throw unknownKeyFault(id);
  if (rotated.kind === 'ended')
    throw invalidKeyFault(`${id} is expired or revoked: make a new key.`);
  if (rotated.kind === 'replaced') throw invalidKeyFault(`${id} was rotated already.`);
  if (rotated.kind === 'too_many')
    throw invalidKeyFault('Too many rotated keys of this account still work: revoke one of them.');
  printNewKey(app, rotated.key);
  app.terminal.note(`${id} works until ${toWireTime(rotated.oldEndsAt)}.\n`);
}

export async function revokeKeyById(app: App, id: string): Promise<void> {
  const wasRevoked = await app.withApp(async ({ world, db }) => {
    const key = await findKey(db, id);
    if (key === null) return false;
    const owner = { accountId: key.accountId, origin: SHELL_ORIGIN };
    const isRevoked = await openSecurityLog(world, db, null).record(owner, async (tx) => {
      const outcome = await revokeKey(world, tx, id);
      return { outcome, event: outcome ? { kind: 'key_revoked', subject: key.name } : null };
    });
    // Nodes cache a key for this time, so afterwards no node accepts the key.
    if (isRevoked) await world.clock.sleep(CACHE_MS);
    return isRevoked;
  });
  if (!wasRevoked) throw unknownKeyFault(id);
  app.terminal.out(`${id} is revoked.\n`);
}

export const invalidKeyFault = (message: string) => new Fault('invalid_request', message);
export const unknownKeyFault = (id: string) =>
  new Fault('not_found', `There is no key ${id}. See: radar account key list <account>`);
