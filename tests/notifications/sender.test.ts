// Some deliveries fail at first. The tests are about retries, pauses, broken channels, a crash
// during an attempt, and retries by operators.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { findChannel, switchChannel } from '../../src/notifications/channels.ts';
import { sendAgain } from '../../src/notifications/delivery-log.ts';
import { openTestSubscriptions } from '../subscriptions/test-subscriptions.ts';
import { until } from '../support/until.ts';

const radar = await openTestSubscriptions();
const { publisher, clock, services, world, db } = radar;
await publisher.addSource({ id: 'press', name: 'The press' });
await radar.match();
let topicCount = 0;

/** Adds a subscription with unique words on the channel, and publishes one matching story. */
async function queueStory(channel: string): Promise<string> {
  topicCount += 1;
  // A query part matches the start of a word, so no name may begin with another name.
  const word = `topic${String(topicCount).padStart(3, '0')}`;
  await radar.subscribe(channel, { name: word, match: { any: [word] } });
  clock.set(clock.now() + 60_000);
  await publisher.publish({
    source: 'press',
    title: `News of ${word}`,
    story: `sty_${topicCount}`,
  });
  await radar.match();
  return word;
}

const readNewestDelivery = async () => (await radar.deliveries())[0];
const advanceAndSend = async (ms: number) => {
  clock.set(clock.now() + ms);
  await radar.send();
};

test('retries a failing webhook after 1, 5 and 30 minutes, 2, 5, 8 and 8.4 hours', async () => {
  const webhook = await radar.addChannel('webhook');
  services.respond('webhook', () => ({ status: 503, body: '' }));
  await queueStory(webhook);
  const startedAt = clock.now();
  await radar.send();
  const waits: number[] = [];
  for (;;) {
    const notification = await readNewestDelivery();
    if (notification === undefined || notification.state !== 'waiting') break;
    waits.push((notification.dueAt - clock.now()) / MINUTE_MS);
    await advanceAndSend(notification.dueAt - clock.now());
  }
  expect(waits).toEqual([1, 5, 30, 120, 300, 480, 504]);
  expect(clock.now() - startedAt).toBe(DAY_MS);
  expect(await readNewestDelivery()).toMatchObject({ state: 'failed', tries: 8, lastStatus: 503 });
  const ids = new Set(services.received.map(({ headers }) => headers['webhook-id']));
  expect([services.received.length, ids.size]).toEqual([8, 1]);
  services.respond('webhook');
  expect(await sendAgain(world, db, (await readNewestDelivery())?.id ?? '')).toBe(true);
  await radar.send();
  expect(await readNewestDelivery()).toMatchObject({ state: 'delivered', lastStatus: 200 });
});

test('a required pause stops the channel and does not count as a try', async () => {
  const slack = await radar.addChannel('slack');
  const headers = { 'retry-after': '120' };
  services.respond('slack', () => ({ status: 429, body: '', headers }));
  await queueStory(slack);
  await radar.send();
  const pendingDelivery = await readNewestDelivery();
  expect(pendingDelivery).toMatchObject({ state: 'waiting', tries: 0, lastStatus: 429 });
  expect((pendingDelivery?.dueAt ?? 0) - clock.now()).toBe(120_000);
  services.respond('slack');
  const requestsBefore = services.received.length;
  await advanceAndSend(119_000);
  expect(services.received.length).toBe(requestsBefore);
  await advanceAndSend(2_000);
  expect(await readNewestDelivery()).toMatchObject({ state: 'delivered' });
});

test('an unreadable response with a required pause leaves the outcome unknown', async () => {
  const chat = await radar.addChannel('telegram');
  const headers = { 'retry-after': '60' };
  services.respond('telegram', () => ({ status: 200, body: 'not JSON', headers }));
  await queueStory(chat);
  await radar.send();
  services.respond('telegram');
  expect(await readNewestDelivery()).toMatchObject({ state: 'waiting', isUnsure: true });
});

test('a definite refusal breaks the channel; its queue is sent when it resumes', async () => {
  const slack = await radar.addChannel('slack');
  services.respond('slack', () => ({ status: 404, body: 'no_service' }));
  await queueStory(slack);
  await radar.send();
  expect(await findChannel(db, slack)).toMatchObject({
    state: 'broken',
    reason: 'Slack 404: no_service',
  });
  const requestsBefore = services.received.length;
  // The limit of 24 hours does not apply while the channel is broken.
  await advanceAndSend(3 * DAY_MS);
  expect(await readNewestDelivery()).toMatchObject({ state: 'waiting' });
  expect(services.received.length).toBe(requestsBefore);
  services.respond('slack');
  const channel = await findChannel(db, slack);
  if (channel === null) throw new Error('the channel is gone');
  expect(await switchChannel(world, db, channel, 'on')).toBe(true);
  await advanceAndSend(31_000);
  expect(await readNewestDelivery()).toMatchObject({ state: 'delivered' });
  expect(await switchChannel(world, db, channel, 'on')).toBe(false);
});

test('a broken channel holds deliveries for seven days, then they expire', async () => {
  const slack = await radar.addChannel('slack');
  services.respond('slack', () => ({ status: 410, body: '' }));
  await queueStory(slack);
  await radar.send();
  services.respond('slack');
  await advanceAndSend(7 * DAY_MS - MINUTE_MS);
  expect(await readNewestDelivery()).toMatchObject({ state: 'waiting' });
  await advanceAndSend(2 * MINUTE_MS);
  await until(async () => {
    await radar.send();
    return (await readNewestDelivery())?.state === 'expired' ? true : null;
  });
});

test('five final failures in a row break a channel', async () => {
  const bark = await radar.addChannel('bark');
  services.respond('bark', () => ({ status: 404, body: '{"code":404}' }));
  for (let count = 1; count <= 5; count += 1) {
    await queueStory(bark);
    await advanceAndSend(2_000);
    expect(await readNewestDelivery()).toMatchObject({ state: 'failed', lastStatus: 404 });
    expect((await findChannel(db, bark))?.state).toBe(count < 5 ? 'on' : 'broken');
  }
  services.respond('bark');
});

/**
 * Sends until the request has arrived, then stops without storing the outcome, like a killed
 * process.
 */
async function stopWhileSending(kind: 'webhook' | 'telegram'): Promise<void> {
  services.respond(kind, () => null);
  const requestsBefore = services.received.length;
  const sender = radar.openSender();
  await until(async () => (services.received.length > requestsBefore ? true : null));
  await sender.close();
  services.respond(kind);
  expect(await readNewestDelivery()).toMatchObject({ state: 'sending' });
}

test('another process takes over the delivery of an ended process, with the same id', async () => {
  const webhook = await radar.addChannel('webhook');
  await queueStory(webhook);
  const requestsBefore = services.received.length;
  await stopWhileSending('webhook');
  await advanceAndSend(MINUTE_MS);
  expect(await readNewestDelivery()).toMatchObject({ state: 'delivered', isUnsure: true });
  const ids = services.received.slice(requestsBefore).map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([(await readNewestDelivery())?.id, (await readNewestDelivery())?.id]);
});

test('a chat without idempotency receives no duplicate of an unsure delivery', async () => {
  const chat = await radar.addChannel('telegram', 'drop');
  await queueStory(chat);
  const requestsBefore = services.received.length;
  await stopWhileSending('telegram');
  await advanceAndSend(MINUTE_MS);
  expect(await readNewestDelivery()).toMatchObject({ state: 'failed', isUnsure: true });
  expect(services.received.length - requestsBefore).toBe(1);
});

test('a queue longer than one minute’s limit becomes one digest', async () => {
  const wecom = await radar.addChannel('wecom');
  await radar.subscribe(wecom, { name: 'Many', match: { any: ['flood'] } });
  clock.set(clock.now() + HOUR_MS);
  for (let index = 0; index < 22; index += 1) {
    await publisher.publish({
      source: 'press',
      title: `Flood number ${index}`,
      story: `sty_flood${index}`,
    });
  }
  await radar.match();
  const requestsBefore = services.received.length;
  await radar.send();
  const texts = services.received.slice(requestsBefore).map(({ text }) => text);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain('Many: 22 stories');
  const states = (await radar.deliveries()).filter(({ channelId }) => channelId === wecom);
  expect(states.filter(({ state }) => state === 'replaced')).toHaveLength(22);
});
