// Actions of `radar subscription`. Definitions come from options or from a JSON file.
import { Fault } from '../../kernel/errors/fault.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import {
  type AddSubscriptionResult,
  addSubscription,
  editSubscription,
  findSubscription,
  listSubscriptions,
  removeSubscription,
  switchSubscription,
} from '../../radar/subscriptions/change-subscriptions.ts';
import { previewFromDatabase } from '../../radar/subscriptions/preview.ts';
import type { Subscription } from '../../radar/subscriptions/subscription.ts';
import type { App } from '../app.ts';
import { readFileAt } from '../read-file-at.ts';
import { textTable } from '../text-table.ts';
import type { SubscriptionAddOptions } from './subscription-options.ts';

export async function addFromOptions(
  app: App,
  channel: string | undefined,
  options: SubscriptionAddOptions,
): Promise<void> {
  const definition =
    options.file === undefined
      ? definitionFromOptions(channel, options)
      : { ...(await readDefinition(options.file)), ...(channel !== undefined && { channel }) };
  await app.withApp(async ({ world, db, zone, readCategories, editorialFolder }) => {
    const categories = await readCategories(editorialFolder);
    const addedSubscription = await addSubscription(world, db, definition, { categories, zone });
    if (addedSubscription.kind !== 'added') throw refusalFault(addedSubscription);
    app.terminal.out(`added ${addedSubscription.id}\n`);
  });
}

/** A definition without a channel keeps the stored channel. */
export async function editSubscriptionById(app: App, id: string, file: string): Promise<void> {
  const definition = await readDefinition(file);
  await app.withApp(async ({ world, db, zone, readCategories, editorialFolder }) => {
    const categories = await readCategories(editorialFolder);
    const subscription = await requireSubscription(db, id);
    const value = { channel: subscription.channel, ...definition };
    const editResult = await editSubscription(world, db, subscription, value, { categories, zone });
    if (editResult.kind === 'conflict') {
      throw new Fault('invalid_request', `${id} was changed meanwhile. Nothing was saved.`);
    }
    if (editResult.kind !== 'saved') throw refusalFault(editResult);
    app.terminal.out(`saved ${id}\n`);
  });
}

function refusalFault(refusal: Exclude<AddSubscriptionResult, { readonly kind: 'added' }>): Fault {
  switch (refusal.kind) {
    case 'known':
      return new Fault(
        'invalid_request',
        `An equal subscription exists on this channel: ${refusal.id}`,
      );
    case 'too_many':
      return new Fault(
        'invalid_request',
        `There are ${refusal.max} subscriptions already. Remove one first.`,
      );
    case 'invalid': {
      const lines = refusal.problems.map(({ field, text }) =>
        field === '' ? text.en : `${field}: ${text.en}`,
      );
      return new Fault('invalid_request', lines.join('; '));
    }
  }
}

async function readDefinition(path: string): Promise<object> {
  const text = (await readFileAt(path === '-' ? '/dev/stdin' : path)).toString();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {}
  throw new Fault('invalid_request', `${path} has no JSON object.`);
}

function definitionFromOptions(
  channel: string | undefined,
  options: SubscriptionAddOptions,
): object {
  const { kind, language } = options;
  const schedule = scheduleFromOptions(options);
  const match = matchFromOptions(options);
  return { kind, name: options.name ?? kind, channel: channel ?? '', language, match, schedule };
}

function scheduleFromOptions({ every, daily, zone }: SubscriptionAddOptions): object {
  const zoneOption = zone === undefined ? {} : { zone };
  if (every !== undefined && daily !== undefined) {
    throw new Fault('invalid_request', 'Give either --every or --daily.');
  }
  if (every !== undefined) return { every, ...zoneOption };
  return daily === undefined ? { at: 'instant' } : { daily, ...zoneOption };
}

function matchFromOptions(options: SubscriptionAddOptions): object {
  switch (options.kind) {
    case 'story':
      return { story: options.story ?? '' };
    case 'report':
      return { reports: options.report ?? [] };
    case 'alerts':
      return { severity: options.severity ?? 'warn' };
    default:
      return {
        any: options.any ?? [],
        none: options.none ?? [],
        categories: options.category ?? [],
        sources: options.source ?? [],
        mode: options.all ? 'all' : 'selected',
        minScore: options.minScore ?? null,
      };
  }
}

export async function printSubscriptions(app: App, isJson: boolean): Promise<void> {
  await app.withApp(async ({ db }) => {
    const subscriptions = await listSubscriptions(db);
    if (isJson) {
      app.terminal.out(`${JSON.stringify(subscriptions, null, 2)}\n`);
      return;
    }
    if (subscriptions.length === 0) {
      app.terminal.out('No subscriptions yet. Add one: radar subscription add <channel> --any …\n');
      return;
    }
    const rows = subscriptions.map((subscription) => [
      subscription.id,
      subscription.kind,
      subscription.name,
      subscription.channel,
      subscription.state,
      subscription.nextAt === null ? 'instant' : toWireTime(subscription.nextAt),
    ]);
    const head = ['ID', 'KIND', 'NAME', 'CHANNEL', 'STATE', 'NEXT'];
    app.terminal.out(textTable([head, ...rows]));
  });
}

export async function printPreview(app: App, id: string): Promise<void> {
  await app.withApp(async ({ world, db }) => {
    const subscription = await requireSubscription(db, id);
    if (subscription.kind !== 'news') {
      app.terminal.out(`${id} has the kind ${subscription.kind}; only news has a preview.\n`);
      return;
    }
    const preview = await previewFromDatabase(world, db, subscription);
    app.terminal.out(`Notifications in the last 7 days: ${preview.notifications}\n`);
    for (const { title, sourceName } of preview.newest) {
      app.terminal.out(`  ${title} (${sourceName})\n`);
    }
  });
}

export async function switchSubscriptionById(
  app: App,
  id: string,
  state: 'on' | 'paused',
): Promise<void> {
  await app.withApp(async ({ world, db }) => {
    await switchSubscription(world, db, await requireSubscription(db, id), state);
    app.terminal.out(`${id} is ${state}.\n`);
  });
}

export async function removeSubscriptionById(app: App, id: string): Promise<void> {
  await app.withApp(async ({ db }) => {
    if (!(await removeSubscription(db, id))) throw unknownSubscriptionFault(id);
    app.terminal.out(`${id} is removed.\n`);
  });
}

async function requireSubscription(
  db: Parameters<typeof findSubscription>[0],
  id: string,
): Promise<Subscription> {
  const subscription = await findSubscription(db, id);
  if (subscription === null) throw unknownSubscriptionFault(id);
  return subscription;
}

const unknownSubscriptionFault = (id: string) =>
  new Fault('not_found', `There is no subscription called ${id}. See: radar subscription list`);
