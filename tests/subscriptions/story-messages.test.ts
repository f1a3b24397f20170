// One story at every kind of channel: each chat shows the headline once.
import { expect, test } from 'vitest';
import { serviceKinds } from '../../demo/receivers/open-services.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { openTestSubscriptions } from './test-subscriptions.ts';

const radar = await openTestSubscriptions();
const { publisher, clock, services } = radar;
await publisher.addSource({ id: 'press', name: 'The press' });
for (const kind of serviceKinds) {
  await radar.subscribe(await radar.addChannel(kind));
}
// The consumer starts at the head of the log.
await radar.match();

const sendAll = async () => {
  clock.set(clock.now() + 10_000);
  services.received.length = 0;
  await radar.match();
  await radar.send();
  return new Map(services.received.map(({ kind, body }) => [kind, body]));
};

/** How often the text occurs in the body, by kind of channel. */
const countsOf = (bodies: ReadonlyMap<string, unknown>, text: string): Record<string, number> =>
  Object.fromEntries(
    [...bodies].map(([kind, body]) => [kind, JSON.stringify(body).split(text).length - 1]),
  );

/** DingTalk and Slack have the title a second time, for lists of chats and push messages. */
const expectedCounts = {
  feishu: 1,
  lark: 1,
  wecom: 1,
  dingtalk: 2,
  telegram: 1,
  slack: 2,
  discord: 1,
  ntfy: 1,
  bark: 1,
};

test('a new story and its correction state the headline once in every chat', async () => {
  const summary = 'A trade body expects a lack until May';
  const title = 'Chips are short in Kesselbruck';
  const id = await publisher.publish({ source: 'press', title, summary });
  const { webhook: _first, ...sentCounts } = countsOf(await sendAll(), title);
  expect(sentCounts).toEqual(expectedCounts);
  const changedTitle = 'Chips are short in Lindenau';
  const fields = { title: changedTitle };
  await changeItem(radar.world, radar.db, id, {
    action: 'correct',
    fields,
    actor: 'A',
    note: null,
  });
  const bodies = await sendAll();
  const { webhook: _second, ...correctedCounts } = countsOf(bodies, changedTitle);
  expect(correctedCounts).toEqual(expectedCounts);
  expect(countsOf(bodies, summary)).toEqual({
    ...expectedCounts,
    dingtalk: 1,
    slack: 1,
    webhook: 1,
  });
});
