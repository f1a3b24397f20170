// News subscriptions from a public item to the service on loopback.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { findSubscription } from '../../src/radar/subscriptions/change-subscriptions.ts';
import { addMatches } from '../../src/store/notifications/subscription-matches.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { queueStoryAssignments } from '../../src/store/radar/stories/story-queue.ts';
import { openTestSubscriptions } from './test-subscriptions.ts';

const radar = await openTestSubscriptions();
const { publisher, clock, services } = radar;
for (const id of ['press', 'wire', 'post']) await publisher.addSource({ id, name: `The ${id}` });
const webhook = await radar.addChannel('webhook');
const telegram = await radar.addChannel('telegram');
// The consumer starts at the head of the log.
await radar.match();

const change = (id: string, action: 'withdraw' | 'restore') =>
  changeItem(radar.world, radar.db, id, { action, actor: 'Ada', note: null });

const runRound = async () => {
  // After ten seconds, the rate limits of both channels permit further messages.
  clock.set(clock.now() + 10_000);
  const requestsBefore = services.received.length;
  await radar.match();
  await radar.send();
  return services.received.slice(requestsBefore);
};

test('sends a story once, with its sources, in the contract’s form', async () => {
  await radar.subscribe(webhook);
  const firstReport = await publisher.publish({
    source: 'press',
    title: 'Chips are short',
    story: 'sty_a',
  });
  await publisher.publish({ source: 'wire', title: 'Chips are short, too', story: 'sty_a' });
  await publisher.publish({ source: 'post', title: 'Weather is fine' });
  const [message, ...otherMessages] = await runRound();
  expect(otherMessages).toEqual([]);
  expect(message?.problems).toEqual([]);
  expect(message?.body).toMatchObject({
    type: 'story.new',
    data: {
      subscription: { name: 'Chips' },
      reason: 'new',
      story: { publicId: 'sty_a', links: { html: 'https://radar.example/stories/sty_a' } },
    },
  });
  expect(message?.body.data).toMatchObject({
    items: [{ id: firstReport }, { id: expect.any(String) }],
  });
});

test('a later report of a sent story is not sent', async () => {
  await publisher.publish({ source: 'post', title: 'Chips stay short', story: 'sty_a' });
  expect(await runRound()).toEqual([]);
});

test('a story that merges into a sent story is not sent', async () => {
  await publisher.publish({ source: 'press', title: 'Chips of tomorrow', story: 'sty_b' });
  await publisher.merge('sty_b', 'sty_a');
  expect(await runRound()).toEqual([]);
});

test('after a split, only the part that was not sent is sent', async () => {
  const movedItem = await publisher.publish({
    source: 'wire',
    title: 'Chips in cars',
    story: 'sty_a',
  });
  expect(await runRound()).toEqual([]);
  await publisher.move(movedItem, 'sty_c');
  const messages = await runRound();
  expect(messages.map(({ body }) => body.data)).toMatchObject([{ story: { publicId: 'sty_c' } }]);
});

test('a story that merges between match and send is sent as the merged story', async () => {
  await publisher.publish({ source: 'press', title: 'Chips by rail', story: 'sty_rail' });
  await publisher.publish({ source: 'wire', title: 'Freight by rail', story: 'sty_freight' });
  clock.set(clock.now() + 10_000);
  await radar.match();
  await publisher.merge('sty_rail', 'sty_freight');
  const messages = await runRound();
  expect(messages.map(({ body }) => body.data)).toMatchObject([
    { story: { publicId: 'sty_freight' } },
  ]);
});

test('a story that splits between match and send is sent with its remaining items', async () => {
  const ownItem = await publisher.publish({
    source: 'press',
    title: 'Chips by ship',
    story: 'sty_ship',
  });
  const otherItem = await publisher.publish({
    source: 'wire',
    title: 'Ships of old',
    story: 'sty_ship',
  });
  clock.set(clock.now() + 10_000);
  await radar.match();
  await publisher.move(otherItem, 'sty_old');
  const messages = await runRound();
  expect(messages.map(({ body }) => body.data)).toMatchObject([
    { story: { publicId: 'sty_ship' }, items: [{ id: ownItem }] },
  ]);
  expect(JSON.stringify(messages[0]?.body.data)).not.toContain('Ships of old');
});

test('a story withdrawn before sending is sent only after its restoration', async () => {
  clock.set(clock.now() + 1_000);
  const id = await publisher.publish({ source: 'press', title: 'Chips withdrawn early' });
  await radar.match();
  await change(id, 'withdraw');
  expect(await runRound()).toEqual([]);
  expect((await radar.deliveries())[0]?.state).toBe('void');
  await change(id, 'restore');
  expect((await runRound()).map(({ body }) => body.type)).toEqual(['story.new']);
});

test('a withdrawal after sending is sent without text of the story', async () => {
  const id = await publisher.publish({
    source: 'press',
    title: 'Chips withdrawn late',
    story: 'sty_d',
  });
  expect(await runRound()).toHaveLength(1);
  await change(id, 'withdraw');
  const [message, ...otherMessages] = await runRound();
  expect(otherMessages).toEqual([]);
  expect(message?.body.type).toBe('story.withdrawn');
  expect(message?.text).not.toContain('withdrawn late');
  expect(message?.body.data).toMatchObject({ story: { publicId: 'sty_d' } });
});

test('Telegram replaces the withdrawn message in place', async () => {
  await radar.subscribe(telegram, { match: { any: ['silicon'] } });
  const id = await publisher.publish({ source: 'press', title: 'Silicon grows', story: 'sty_e' });
  expect((await runRound()).map(({ kind }) => kind)).toEqual(['telegram']);
  await change(id, 'withdraw');
  clock.set(clock.now() + 60_000);
  const [editedMessage] = await runRound();
  expect(editedMessage?.path).toMatch(/editMessageText$/);
  expect(editedMessage?.body.message_id).toBe(42);
  expect(editedMessage?.text).not.toContain('Silicon grows');
});

test('quiet hours turn instant notifications into one digest at their end', async () => {
  const quietHours = { from: '22:00', to: '07:00', zone: 'UTC' };
  await radar.subscribe(webhook, { name: 'Night', match: { any: ['moon'] }, quiet: quietHours });
  clock.set(Date.parse('2026-08-22T23:30:00Z'));
  await publisher.publish({ source: 'press', title: 'Moon rises', story: 'sty_m1' });
  await publisher.publish({ source: 'wire', title: 'Moon base opens', story: 'sty_m2' });
  expect(await runRound()).toEqual([]);
  clock.set(Date.parse('2026-08-23T07:00:00Z'));
  const [digest, ...otherMessages] = await runRound();
  expect(otherMessages).toEqual([]);
  expect(digest?.body).toMatchObject({
    type: 'digest',
    data: { stories: [{ publicId: expect.any(String) }, { publicId: expect.any(String) }] },
  });
});

test('many matches in quiet hours become one digest and delay no other subscription', async () => {
  clock.set(Date.parse('2026-08-23T23:30:00Z'));
  const quietHours = { from: '22:00', to: '07:00', zone: 'UTC' };
  const quietSubscription = await radar.subscribe(webhook, {
    name: 'Comets',
    match: { any: ['comet'] },
    quiet: quietHours,
  });
  await radar.subscribe(webhook, { name: 'Meteors', match: { any: ['meteor'] } });
  const itemId = await publisher.publish({
    source: 'press',
    title: 'Comet passes',
    story: 'sty_c',
  });
  await radar.match();
  const matches = Array.from({ length: 250 }, (_, index) => ({
    subscriptionId: quietSubscription,
    subject: `group:comet-${index}`,
    itemId,
  }));
  await addMatches(radar.db, matches, clock.now());
  await publisher.publish({ source: 'wire', title: 'Meteor falls', story: 'sty_meteor' });
  expect((await runRound()).map(({ body }) => body)).toMatchObject([
    { type: 'story.new', data: { subscription: { name: 'Meteors' } } },
  ]);
  clock.set(Date.parse('2026-08-24T07:00:00Z'));
  expect((await runRound()).map(({ body }) => body)).toMatchObject([
    { type: 'digest', data: { subscription: { name: 'Comets' } } },
  ]);
});

test('a daily digest has at most ten stories and is omitted when empty', async () => {
  const schedule = { daily: ['09:00'], zone: 'UTC' };
  await radar.subscribe(webhook, { name: 'Daily', match: { any: ['solar'] }, schedule });
  for (let index = 0; index < 13; index += 1) {
    await publisher.publish({
      source: 'press',
      title: `Solar plant ${index}`,
      story: `sty_s${index}`,
    });
  }
  expect(await runRound()).toEqual([]);
  clock.set(Date.parse('2026-08-25T09:03:00Z'));
  const [digest, ...otherMessages] = await runRound();
  expect(otherMessages).toEqual([]);
  expect(digest?.body.data).toMatchObject({ items: { length: 10 } });
  clock.set(Date.parse('2026-08-26T09:03:00Z'));
  expect(await runRound()).toEqual([]);
});

test('an item waits at most two minutes for the story engine', async () => {
  await radar.subscribe(webhook, { name: 'Wait', match: { any: ['lithium'] } });
  const id = await publisher.publish({ source: 'press', title: 'Lithium is scarce' });
  await queueStoryAssignments(radar.db, [id]);
  expect(await runRound()).toEqual([]);
  clock.set(clock.now() + 120_000);
  expect(await runRound()).toHaveLength(1);
});

test('an equal subscription on the same channel is refused', async () => {
  await expect(radar.subscribe(webhook, { name: 'Other name' })).rejects.toThrow(/"kind":"known"/);
});

test('a subscription is added when its equal is deleted at the same time', async () => {
  const match = { any: ['zinc'] };
  await radar.subscribe(webhook, { name: 'Deleted', match });
  await sql`CREATE FUNCTION delete_equal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN DELETE FROM subscriptions WHERE name = 'Deleted'; RETURN NULL; END $$`.execute(
    sqlOf(radar.db),
  );
  await sql`CREATE TRIGGER delete_equal AFTER INSERT ON subscriptions
    EXECUTE FUNCTION delete_equal()`.execute(sqlOf(radar.db));
  const id = await radar.subscribe(webhook, { name: 'Added', match });
  expect(await findSubscription(radar.db, id)).toMatchObject({ name: 'Added' });
});
