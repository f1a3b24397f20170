// Messages after a delivery: contradictions, corrections and withdrawals. Other tests follow
// stories, and change subscriptions while items arrive.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { removeChannel } from '../../src/notifications/channels.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import {
  editSubscription,
  endSettledSubscriptions,
  findSubscription,
  switchSubscription,
} from '../../src/radar/subscriptions/change-subscriptions.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { until } from '../support/until.ts';
import { openTestSubscriptions } from './test-subscriptions.ts';

const radar = await openTestSubscriptions();
const { publisher, clock, services, world, db } = radar;
for (const id of ['press', 'wire', 'post']) {
  await publisher.addSource({ id, name: `The ${id}`, owner: `${id} group` });
}
const webhook = await radar.addChannel('webhook');
await radar.match();

const runRound = async () => {
  clock.set(clock.now() + 10_000);
  const requestsBefore = services.received.length;
  await radar.match();
  await radar.send();
  return services.received.slice(requestsBefore).map(({ body }) => body);
};
/** Scheduled times of subscriptions are spread over three minutes. */
const SPREAD_MS = 180_000;
const typesOf = (bodies: readonly Readonly<Record<string, unknown>>[]) =>
  bodies.map(({ type }) => type);
const correctItem = (id: string, title: string) =>
  changeItem(world, db, id, { action: 'correct', fields: { title }, actor: 'Ada', note: null });
const withdrawItem = (id: string) =>
  changeItem(world, db, id, { action: 'withdraw', actor: 'Ada', note: null });

test('a contradiction between two owners is sent once', async () => {
  await radar.subscribe(webhook, { name: 'Rounds', match: { any: ['harrowgate'] } });
  const publish = (source: string, title: string, text: string) =>
    publisher.publish({ source, title, text, story: 'sty_round' });
  await publish(
    'press',
    'Harrowgate AI closes a new round',
    'Harrowgate AI has raised $320 million in a Series C round led by Pine Street Capital, ' +
      'the company said.',
  );
  expect(typesOf(await runRound())).toEqual(['story.new']);
  await publish(
    'wire',
    'Harrowgate raises fresh money',
    'The robotics start-up Harrowgate AI secured $280 million in new funding, two people ' +
      'familiar with the matter said.',
  );
  const [contradiction, ...otherMessages] = await runRound();
  expect(otherMessages).toEqual([]);
  expect(contradiction).toMatchObject({
    type: 'story.contradiction',
    data: { reason: 'contradiction:1', story: { publicId: 'sty_round' } },
  });
  await publish('post', 'Harrowgate AI and its investors', 'Pine Street Capital led the round.');
  expect(await runRound()).toEqual([]);
});

test('a contradiction that the first message states is not announced again', async () => {
  await radar.subscribe(webhook, { name: 'Quays', match: { any: ['millbrook'] } });
  const publish = (source: string, text: string) =>
    publisher.publish({ source, title: `Millbrook AI by ${source}`, text, story: 'sty_quay' });
  await publish('press', 'Millbrook AI has raised $320 million in a Series C round, it said.');
  clock.set(clock.now() + 10_000);
  await radar.match();
  // This report arrives between the match and the delivery.
  await publish('wire', 'The start-up Millbrook AI secured $280 million in a Series C round.');
  const [firstMessage, ...otherMessages] = await runRound();
  expect([firstMessage?.type, ...typesOf(otherMessages)]).toEqual(['story.new']);
  await publish('post', 'Millbrook AI and its investors met in the town.');
  expect(typesOf(await runRound())).toEqual([]);
});

test('a contradiction in a digest is not sent again', async () => {
  const schedule = { daily: ['08:00'], days: [1, 2, 3, 4, 5, 6, 7], zone: 'Asia/Shanghai' };
  await radar.subscribe(webhook, { name: 'Locks', match: { any: ['ashdown'] }, schedule });
  const publish = (source: string, text: string) =>
    publisher.publish({ source, title: `Ashdown AI by ${source}`, text, story: 'sty_lock' });
  await publish('press', 'Ashdown AI has raised $320 million in a Series C round, it said.');
  await publish('wire', 'The start-up Ashdown AI secured $280 million in a Series C round.');
  await radar.match();
  clock.set(clock.now() + DAY_MS);
  expect(typesOf(await runRound())).toEqual(['digest']);
  await publish('post', 'Ashdown AI and its investors met in the town.');
  expect(typesOf(await runRound())).toEqual([]);
});

test('sends each correction by an operator once', async () => {
  await radar.subscribe(webhook, { name: 'Rail', match: { any: ['rail'] } });
  const id = await publisher.publish({
    source: 'press',
    title: 'Rail line opens',
    story: 'sty_rail',
  });
  expect(typesOf(await runRound())).toEqual(['story.new']);
  await correctItem(id, 'Rail line opens on Monday');
  expect(await runRound()).toMatchObject([
    { type: 'story.correction', data: { reason: 'correction:1' } },
  ]);
  expect(await runRound()).toEqual([]);
  await correctItem(id, 'Rail line opens on Tuesday');
  expect(typesOf(await runRound())).toEqual(['story.correction']);
});

test('corrects and withdraws an item without a story', async () => {
  await radar.subscribe(webhook, { name: 'Ferry', match: { any: ['ferry'] } });
  const id = await publisher.publish({ source: 'press', title: 'Ferry sails' });
  expect(typesOf(await runRound())).toEqual(['story.new']);
  await correctItem(id, 'Ferry sails at night');
  expect(typesOf(await runRound())).toEqual(['story.correction']);
  await withdrawItem(id);
  expect(typesOf(await runRound())).toEqual(['story.withdrawn']);
});

test('corrects a sent story after its merge into another story', async () => {
  await radar.subscribe(webhook, { name: 'Dam', match: { any: ['dam'] } });
  const id = await publisher.publish({ source: 'press', title: 'Dam breaks', story: 'sty_dam1' });
  expect(typesOf(await runRound())).toEqual(['story.new']);
  await publisher.publish({ source: 'wire', title: 'Flood in the valley', story: 'sty_dam2' });
  await publisher.merge('sty_dam1', 'sty_dam2');
  expect(await runRound()).toEqual([]);
  await correctItem(id, 'Dam leaks');
  expect(typesOf(await runRound())).toEqual(['story.correction']);
});

test('a story whose reports move to another one is not withdrawn', async () => {
  await radar.subscribe(webhook, { name: 'Mine', match: { any: ['mine'] } });
  const id = await publisher.publish({ source: 'press', title: 'Mine closes', story: 'sty_mine1' });
  expect(typesOf(await runRound())).toEqual(['story.new']);
  await publisher.move(id, 'sty_mine2');
  expect(await runRound()).toEqual([]);
});

test('sends each report of a followed story until it is settled, also after a merge', async () => {
  await publisher.publish({ source: 'press', title: 'Comet seen', story: 'sty_c1' });
  await publisher.publish({ source: 'wire', title: 'Comet photographed', story: 'sty_c2' });
  await runRound();
  const match = { story: 'sty_c1' };
  await expect(
    radar.subscribe(webhook, { kind: 'story', name: 'None', match: { story: 'sty_none' } }),
  ).rejects.toThrow(/no public story sty_none/);
  const id = await radar.subscribe(webhook, { kind: 'story', name: 'Comet', match });
  await publisher.publish({ source: 'post', title: 'Comet fades', story: 'sty_c1' });
  expect((await runRound()).map(({ data }) => data)).toMatchObject([
    { subscription: { name: 'Comet' }, items: [{ title: 'Comet fades' }] },
  ]);
  await publisher.merge('sty_c1', 'sty_c2');
  expect(await runRound()).toEqual([]);
  await publisher.publish({ source: 'press', title: 'Comet returns', story: 'sty_c2' });
  expect(typesOf(await runRound())).toEqual(['story.new']);
  clock.set(clock.now() + 32 * DAY_MS);
  expect(await endSettledSubscriptions(world, db)).toBe(0);
  clock.set(clock.now() + 2 * DAY_MS);
  expect(await endSettledSubscriptions(world, db)).toBe(1);
  expect((await findSubscription(db, id))?.state).toBe('ended');
});

test('a subscription matches while it is on, until its channel is removed', async () => {
  const otherChannel = await radar.addChannel('webhook');
  const id = await radar.subscribe(otherChannel, { name: 'Tin', match: { any: ['tin'] } });
  clock.set(clock.now() + 1_000);
  await publisher.publish({ source: 'press', title: 'Tin is dear', story: 'sty_tin1' });
  expect(typesOf(await runRound())).toEqual(['story.new']);
  const subscription = await findSubscription(db, id);
  if (subscription === null) throw new Error('the subscription is gone');
  await switchSubscription(world, db, subscription, 'paused');
  await publisher.publish({ source: 'press', title: 'Tin is cheap', story: 'sty_tin2' });
  expect(await runRound()).toEqual([]);
  await switchSubscription(world, db, { id, version: subscription.version + 1 }, 'on');
  await publisher.publish({ source: 'press', title: 'Tin is back', story: 'sty_tin3' });
  expect(typesOf(await runRound())).toEqual(['story.new']);
  expect(await removeChannel(db, otherChannel)).toBe(true);
  await publisher.publish({ source: 'press', title: 'Tin is gone', story: 'sty_tin4' });
  expect(await runRound()).toEqual([]);
});

test('an edited subscription uses its new query; an equal or stale edit is refused', async () => {
  const definition = { name: 'Salt', kind: 'news', channel: webhook, match: { any: ['salt'] } };
  const id = await radar.subscribe(webhook, definition);
  const edit = (version: number, changes: object) =>
    editSubscription(world, db, { id, version }, { ...definition, ...changes }, { categories: [] });
  expect(await edit(1, { match: { any: ['pepper'] } })).toEqual({ kind: 'saved' });
  expect(await edit(1, { match: { any: ['mustard'] } })).toEqual({ kind: 'conflict' });
  expect(await edit(2, { match: { any: ['rail'] } })).toMatchObject({ kind: 'known' });
  expect(await edit(2, { match: { any: ['p'] } })).toMatchObject({ kind: 'invalid' });
  clock.set(clock.now() + 1_000);
  await publisher.publish({ source: 'press', title: 'Salt is white', story: 'sty_salt' });
  await publisher.publish({ source: 'wire', title: 'Pepper is black', story: 'sty_pepper' });
  expect((await runRound()).map(({ data }) => data)).toMatchObject([
    { story: { publicId: 'sty_pepper' } },
  ]);
  expect(await edit(2, { match: { any: ['pepper'] }, schedule: { every: 60 } })).toEqual({
    kind: 'saved',
  });
  const nextTime = (await findSubscription(db, id))?.nextAt ?? 0;
  expect(nextTime).toBeGreaterThan(clock.now());
  expect(nextTime).toBeLessThanOrEqual(clock.now() + HOUR_MS + SPREAD_MS);
});

test('of two equal edits at the same moment, the second one is refused', async () => {
  const definition = { name: 'Iron', kind: 'news', channel: webhook, match: { any: ['iron'] } };
  const otherMatch = { match: { any: ['nickel'] } };
  const first = await radar.subscribe(webhook, definition);
  const second = await radar.subscribe(webhook, { ...definition, ...otherMatch });
  const edit = (handle: Db, id: string) => {
    const input = { ...definition, match: { any: ['cobalt'] } };
    return editSubscription(world, handle, { id, version: 1 }, input, { categories: [] });
  };
  const isWaiting = async () => {
    const { rows } = await sql`
      SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE d.datname = current_database() AND locktype = 'advisory' AND NOT granted`.execute(
      sqlOf(db),
    );
    return rows.length > 0 || null;
  };
  const { pending } = await inTransaction(db, async (tx) => {
    expect(await edit(tx, first)).toEqual({ kind: 'saved' });
    const secondEdit = edit(db, second);
    await until(isWaiting);
    return { pending: secondEdit };
  });
  expect(await pending).toEqual({ kind: 'known', id: first });
});

test('after a change of the interval, waiting matches are sent once, at the next run', async () => {
  const definition = { name: 'Zinc', kind: 'news', channel: webhook, match: { any: ['zinc'] } };
  const id = await radar.subscribe(webhook, { ...definition, schedule: { every: 1_440 } });
  await publisher.publish({ source: 'press', title: 'Zinc is dear', story: 'sty_zinc' });
  expect(await runRound()).toEqual([]);
  const changedDefinition = { ...definition, schedule: { every: 60 } };
  await editSubscription(world, db, { id, version: 1 }, changedDefinition, { categories: [] });
  const nextTime = (await findSubscription(db, id))?.nextAt ?? 0;
  expect([nextTime > clock.now(), nextTime <= clock.now() + HOUR_MS + SPREAD_MS]).toEqual([
    true,
    true,
  ]);
  expect(await runRound()).toEqual([]);
  clock.set(nextTime);
  expect(typesOf(await runRound())).toEqual(['digest']);
  clock.set(nextTime + 2 * HOUR_MS);
  expect(await runRound()).toEqual([]);
});

test('updates in quiet hours are sent at their end', async () => {
  const quietHours = { from: '22:00', to: '07:00', zone: 'UTC' };
  await radar.subscribe(webhook, { name: 'Owl', match: { any: ['owl'] }, quiet: quietHours });
  clock.set(Date.parse('2026-11-01T21:00:00Z'));
  const id = await publisher.publish({ source: 'press', title: 'Owl found', story: 'sty_owl' });
  expect(typesOf(await runRound())).toEqual(['story.new']);
  clock.set(Date.parse('2026-11-01T23:00:00Z'));
  await correctItem(id, 'Owl found in Halden');
  expect(await runRound()).toEqual([]);
  clock.set(Date.parse('2026-11-02T07:00:00Z'));
  expect(typesOf(await runRound())).toEqual(['story.correction']);
});

test('after the clock moves back, no scheduled run repeats and no match is lost', async () => {
  const schedule = { daily: ['09:00'], zone: 'UTC' };
  const id = await radar.subscribe(webhook, { name: 'Tea', match: { any: ['tea'] }, schedule });
  clock.set(Date.parse('2026-11-05T08:00:00Z'));
  const subscription = await findSubscription(db, id);
  if (subscription === null) throw new Error('the subscription is gone');
  await switchSubscription(world, db, subscription, 'on');
  await publisher.publish({ source: 'press', title: 'Tea is hot', story: 'sty_tea1' });
  expect(await runRound()).toEqual([]);
  clock.set(Date.parse('2026-11-05T09:04:00Z'));
  expect(typesOf(await runRound())).toEqual(['digest']);
  clock.set(Date.parse('2026-11-05T08:30:00Z'));
  await publisher.publish({ source: 'wire', title: 'Tea is cold', story: 'sty_tea2' });
  clock.set(Date.parse('2026-11-05T09:05:00Z'));
  expect(await runRound()).toEqual([]);
  expect((await findSubscription(db, id))?.nextAt).toBeGreaterThan(
    Date.parse('2026-11-06T09:00:00Z') - 1,
  );
  clock.set(Date.parse('2026-11-06T09:04:00Z'));
  expect((await runRound()).map(({ data }) => data)).toMatchObject([
    { stories: [{ publicId: 'sty_tea2' }] },
  ]);
});
