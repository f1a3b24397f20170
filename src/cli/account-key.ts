// `radar account key …`: the only thing on standard output is a new key, or what was asked for.
import {
  isEnded,
  listKeys,
  type MadeKey,
  makeKey,
  revokeKey,
  rotateKey,
} from '../gateway/keys/change-keys.ts';
import type { Budget } from '../gateway/keys/key.ts';
import { parseWireTime, toWireTime } from '../kernel/calendar.ts';
import { Fault } from '../kernel/fault.ts';
import { formatCny, parseCny } from '../kernel/money.ts';
import type { App } from './app.ts';
import { accountNamed } from './find-account.ts';
import { textTable } from './text-table.ts';

type Wish = {
  readonly kind: string;
  readonly test?: boolean;
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly networks?: readonly string[];
  readonly budget?: string;
  readonly budgetPeriod: string;
  readonly expires?: string;
};

export async function addKey(app: App, named: string, wish: Wish): Promise<void> {
  const { kind, name, scopes = [], networks = [] } = wish;
  if (kind !== 'sk' && kind !== 'ak') throw invalid(`--kind is sk or ak, not "${kind}".`);
  const expiresAt = wish.expires === undefined ? null : parseWireTime(wish.expires);
  if (wish.expires !== undefined && expiresAt === null) {
    throw invalid(`--expires "${wish.expires}" is no RFC 3339 time.`);
  }
  const budget = budgetOf(wish);
  const livemode = wish.test !== true;
  await app.withHouse(async ({ world, db }) => {
    const { id: accountId } = await accountNamed(db, named);
    const more = { scopes, networks, budget, expiresAt };
    show(app, await makeKey(world, db, { accountId, kind, livemode, name, ...more }));
  });
}

function budgetOf({ budget, budgetPeriod: period }: Wish): Budget | null {
  if (budget === undefined) return null;
  const amount = parseCny(budget);
  if (amount === null || amount < 0n) throw invalid(`--budget "${budget}" is no amount in CNY.`);
  if (period === 'day' || period === 'month' || period === 'total') return { amount, period };
  throw invalid(`--budget-period is day, month or total, not "${period}".`);
}

function show({ terminal }: App, { id, text }: MadeKey): void {
  terminal.note(`${id}, shown this once:\n`);
  terminal.out(`${text}\n`);
}

export async function listAccountKeys(app: App, named: string, asJson: boolean): Promise<void> {
  const { keys, now } = await app.withHouse(async ({ world, db }) => {
    const { id } = await accountNamed(db, named);
    return { keys: await listKeys(db, id), now: world.clock.now() };
  });
  const time = (at: number | null) => (at === null ? null : toWireTime(at));
  const rows = keys.map((key) => ({
    ...{ id: key.id, name: key.name, key: `${key.prefix}…${key.last4}` },
    ...{ scopes: key.scopes, networks: key.networks, isEnded: isEnded(key, now) },
    budget: key.budget && `${formatCny(key.budget.amount)} CNY a ${key.budget.period}`,
    createdAt: time(key.createdAt),
    expiresAt: time(key.expiresAt),
    revokedAt: time(key.revokedAt),
    lastUsedAt: time(key.lastUsedAt),
  }));
  if (asJson) return app.terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
  const head = ['id', 'key', 'name', 'may call', 'budget', 'last used', 'ends'];
  const cells = rows.map((row) => [
    ...[row.id, row.key, row.name, row.scopes.join(', ') || 'everything', row.budget ?? '–'],
    ...[row.lastUsedAt ?? 'never', row.isEnded ? 'ended' : (row.expiresAt ?? '–')],
  ]);
  app.terminal.out(textTable([head, ...cells]));
}

export async function rotateOne(app: App, id: string, overlap: string): Promise<void> {
  if (!/^\d{1,6}$/.test(overlap)) throw invalid(`--overlap "${overlap}" is no number of minutes.`);
  const overlapMs = Number(overlap) * 60_000;
  const rotated = await app.withHouse(({ world, db }) => rotateKey(world, db, { id, overlapMs }));
  if (rotated.kind === 'not_found') throw noKey(id);
  if (rotated.kind === 'ended') throw invalid(`${id} has ended already: make a new one.`);
  if (rotated.kind === 'replaced') throw invalid(`${id} was rotated already.`);
  show(app, rotated.made);
  app.terminal.note(`${id} works until ${toWireTime(rotated.oldEndsAt)}.\n`);
}

export async function revokeOne(app: App, id: string): Promise<void> {
  const isThere = await app.withHouse(({ world, db }) => revokeKey(world, db, id));
  if (!isThere) throw noKey(id);
  app.terminal.out(`${id} is revoked.\n`);
}

const invalid = (message: string) => new Fault('invalid_request', message);
const noKey = (id: string) =>
  new Fault('not_found', `There is no key ${id}. See: radar account key list <account>`);
