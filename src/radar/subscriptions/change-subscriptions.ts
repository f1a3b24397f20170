// Adds, edits, lists, pauses, resumes and removes subscriptions of operators.
import { createHash } from 'node:crypto';
import type { Db } from '../../kernel/ports/db.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { findChannel } from '../../notifications/channels.ts';
import {
  deleteSubscription,
  endStorySubscriptions,
  findSubscriptionRow,
  insertSubscription,
  listSubscriptionRows,
  type SubscriptionRow,
  type SubscriptionValues,
  setSubscriptionState,
  updateSubscription,
} from '../../store/notifications/subscriptions.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { listPublicDocuments } from '../../store/radar/publication/public-documents.ts';
import { nextRun } from './schedule.ts';
import { parseSubscription, type Subscription, type SubscriptionInput } from './subscription.ts';
import {
  missingChannelProblem,
  missingStoryProblem,
  type SubscriptionProblem,
  unknownCategoryProblem,
} from './subscription-problems.ts';

const MAX_SUBSCRIPTIONS = 10_000;

export type AddSubscriptionResult =
  | { readonly kind: 'added'; readonly id: string }
  | { readonly kind: 'invalid'; readonly problems: readonly SubscriptionProblem[] }
  /** An equal subscription exists on the same channel. */
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'too_many'; readonly max: number };

export type SubscriptionRules = {
  readonly categories: readonly string[];
  /** The IANA zone of local times without a zone; absent: Asia/Shanghai. */
  readonly zone?: string;
};

export async function addSubscription(
  world: World,
  db: Db,
  value: unknown,
  { categories, zone }: SubscriptionRules,
): Promise<AddSubscriptionResult> {
  const parsed = parseSubscription(value, zone);
  if (parsed.kind === 'invalid') return parsed;
  const { input } = parsed;
  const problems = await findStoredProblems(db, input, categories);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const id = `sub_${world.ids.next()}`;
  const row = {
    id,
    state: 'on',
    ...valuesOf(world, id, input),
    version: 1,
    created_at: world.clock.now(),
  } as const;
  const insertResult = await inTransaction(db, (tx) =>
    insertSubscription(tx, row, MAX_SUBSCRIPTIONS),
  );
  if (insertResult.kind === 'inserted') return { kind: 'added', id };
  return insertResult.kind === 'known'
    ? insertResult
    : { kind: 'too_many', max: MAX_SUBSCRIPTIONS };
}

const valuesOf = ({ clock }: World, id: string, input: SubscriptionInput): SubscriptionValues => ({
  name: input.name,
  kind: input.kind,
  channel_id: input.channel,
  language: input.language,
  match: input.match,
  schedule: input.schedule,
  quiet: input.quiet,
  updates: input.updates,
  hash: hashOf(input),
  next_at: nextRun(input.schedule, id, clock.now()),
});

export type EditSubscriptionResult =
  | { readonly kind: 'saved' }
  | Exclude<AddSubscriptionResult, { readonly kind: 'added' | 'too_many' }>
  /** The subscription was changed meanwhile, or does not exist. */
  | { readonly kind: 'conflict' };

/** Sets the next run to a future time. Waiting matches are sent on the new schedule. */
export async function editSubscription(
  world: World,
  db: Db,
  target: { readonly id: string; readonly version: number },
  value: unknown,
  { categories, zone }: SubscriptionRules,
): Promise<EditSubscriptionResult> {
  const parsed = parseSubscription(value, zone);
  if (parsed.kind === 'invalid') return parsed;
  const problems = await findStoredProblems(db, parsed.input, categories);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const values = valuesOf(world, target.id, parsed.input);
  return inTransaction(db, (tx) => updateSubscription(tx, target, values));
}

/** Finds the problems that the schema cannot find: unknown categories, channels and stories. */
async function findStoredProblems(
  db: Db,
  input: SubscriptionInput,
  categories: readonly string[],
): Promise<readonly SubscriptionProblem[]> {
  return [
    ...findCategoryProblems(input, categories),
    ...(await findChannelProblems(db, input)),
    ...(await findStoryProblems(db, input)),
  ];
}

const hashOf = ({ kind, match, schedule, quiet, language }: SubscriptionInput) =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify({ kind, match, schedule, quiet, language }))))
    .digest('hex');

function findCategoryProblems(
  input: SubscriptionInput,
  categories: readonly string[],
): readonly SubscriptionProblem[] {
  if (input.kind !== 'news') return [];
  return input.match.categories
    .filter((category) => !categories.includes(category))
    .map((category) => unknownCategoryProblem(category, categories));
}

async function findChannelProblems(
  db: Db,
  { channel }: SubscriptionInput,
): Promise<readonly SubscriptionProblem[]> {
  const existingChannel = await findChannel(db, channel);
  return existingChannel === null ? [missingChannelProblem(channel)] : [];
}

async function findStoryProblems(
  db: Db,
  input: SubscriptionInput,
): Promise<readonly SubscriptionProblem[]> {
  if (input.kind !== 'story') return [];
  const { story } = input.match;
  const documents = await listPublicDocuments(db, [{ kind: 'story', key: story }]);
  return documents.length > 0 ? [] : [missingStoryProblem(story)];
}

/** Oldest first. */
export async function listSubscriptions(db: Db): Promise<readonly Subscription[]> {
  return (await listSubscriptionRows(db)).map(subscriptionFromRow);
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

/** False: the subscription was changed meanwhile, or does not exist. */
export async function switchSubscription(
  world: World,
  db: Db,
  target: { readonly id: string; readonly version: number },
  state: 'on' | 'paused',
): Promise<boolean> {
  const subscription = await findSubscription(db, target.id);
  if (subscription === null) return false;
  const nextAt = nextRun(subscription.schedule, subscription.id, world.clock.now());
  return inTransaction(db, (tx) => setSubscriptionState(tx, target, { state, nextAt }));
}

/** A story is settled when its newest report has this age (feed contract, "Stories"). */
const SETTLED_AGE_MS = 72 * HOUR_MS;
const FOLLOW_AFTER_SETTLED_MS = 30 * DAY_MS;

/** Ends subscriptions to stories that settled 30 days ago. Returns the number of subscriptions. */
export function endSettledSubscriptions({ clock }: World, db: Db): Promise<number> {
  const before = clock.now() - SETTLED_AGE_MS - FOLLOW_AFTER_SETTLED_MS;
  return inTransaction(db, (tx) => endStorySubscriptions(tx, before));
}

/** Removes a subscription with its notifications. False: it does not exist. */
export function removeSubscription(db: Db, id: string): Promise<boolean> {
  return inTransaction(db, (tx) => deleteSubscription(tx, id));
}
