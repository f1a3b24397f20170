// Subscriptions of operators: added, listed, paused, resumed, removed.
import { createHash } from 'node:crypto';
import type { Db } from '../../kernel/ports/db.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { World } from '../../kernel/world.ts';
import { findChannel } from '../../notifications/channels.ts';
import {
  deleteSubscription,
  findSubscriptionRow,
  insertSubscription,
  type SubscriptionRow,
  setSubscriptionState,
  subscriptionRows,
} from '../../store/notifications/subscriptions.ts';
import { nextRun } from './schedule.ts';
import {
  parseSubscription,
  type Subscription,
  type SubscriptionInput,
  type SubscriptionProblem,
} from './subscription.ts';

const MOST = 10_000;

export type AddedSubscription =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'invalid'; readonly problems: readonly SubscriptionProblem[] }
  /** An equal one exists on the same channel. */
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'too_many'; readonly most: number };

export async function addSubscription(
  world: World,
  db: Db,
  value: unknown,
  { categories }: { readonly categories: readonly string[] },
): Promise<AddedSubscription> {
  const parsed = parseSubscription(value);
  if (parsed.kind === 'invalid') return parsed;
  const { input } = parsed;
  const problems = [...categoryProblems(input, categories), ...(await channelProblems(db, input))];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const id = `sub_${world.ids.next()}`;
  const now = world.clock.now();
  const inserted = await insertSubscription(
    db,
    {
      id,
      name: input.name,
      kind: input.kind,
      state: 'on',
      channel_id: input.channel,
      language: input.language,
      match: input.match,
      schedule: input.schedule,
      quiet: input.quiet,
      updates: input.updates,
      hash: hashOf(input),
      next_at: nextRun(input.schedule, id, now),
      version: 1,
      created_at: now,
    },
    MOST,
  );
  if (inserted.kind === 'inserted') return { kind: 'added', id };
  return inserted.kind === 'known' ? inserted : { kind: 'too_many', most: MOST };
}

const hashOf = ({ kind, match, schedule, quiet, language }: SubscriptionInput) =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify({ kind, match, schedule, quiet, language }))))
    .digest('hex');

function categoryProblems(
  input: SubscriptionInput,
  categories: readonly string[],
): readonly SubscriptionProblem[] {
  if (input.kind !== 'news') return [];
  return input.match.categories
    .filter((category) => !categories.includes(category))
    .map((category) => ({ field: 'match.categories', message: `unknown category ${category}` }));
}

async function channelProblems(
  db: Db,
  { channel }: SubscriptionInput,
): Promise<readonly SubscriptionProblem[]> {
  const found = await findChannel(db, channel);
  return found === null ? [{ field: 'channel', message: `no channel ${channel}` }] : [];
}

/** Oldest first. */
export async function listSubscriptions(db: Db): Promise<readonly Subscription[]> {
  return (await subscriptionRows(db)).map(subscriptionFromRow);
}

export async function findSubscription(db: Db, id: string): Promise<Subscription | null> {
  const row = await findSubscriptionRow(db, id);
  return row === null ? null : subscriptionFromRow(row);
}

export function subscriptionFromRow(row: SubscriptionRow): Subscription {
  const values = {
    id: row.id,
    name: row.name,
    kind: row.kind,
    state: row.state,
    channel: row.channel_id,
    language: row.language,
    match: row.match,
    schedule: row.schedule,
    quiet: row.quiet,
    updates: row.updates,
    nextAt: row.next_at,
    version: row.version,
    createdAt: row.created_at,
  };
  return values as Subscription;
}

/** False: it has another version by now, or there is none. */
export async function switchSubscription(
  world: World,
  db: Db,
  which: { readonly id: string; readonly version: number },
  state: 'on' | 'paused',
): Promise<boolean> {
  const found = await findSubscription(db, which.id);
  if (found === null) return false;
  const nextAt = nextRun(found.schedule, found.id, world.clock.now());
  return setSubscriptionState(db, which, { state, nextAt });
}

/** With its notifications. False: there is none. */
export function removeSubscription(db: Db, id: string): Promise<boolean> {
  return deleteSubscription(db, id);
}
