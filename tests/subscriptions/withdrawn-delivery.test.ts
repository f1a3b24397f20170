// Withdrawals at random times between a match and its message: before the notification is created,
// before the first attempt, and between two attempts. After its withdrawal, no item is sent.
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { queueStoryAssignments } from '../../src/store/radar/stories/story-queue.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestSubscriptions } from './test-subscriptions.ts';

const WITHDRAWAL_COUNT = proofSize(12, 1_000);
const ITEMS_PER_ROUND = 12;

const random = seededRandom(proofSeed());
const radar = await openTestSubscriptions();
const { world, db, clock, services, publisher } = radar;
await publisher.addSource({ id: 'press', name: 'The press' });
const webhook = await radar.addChannel('webhook');
await radar.subscribe(webhook, { updates: false });
await radar.match();

const moments = ['before creation', 'before sending', 'between attempts'] as const;
type WithdrawalMoment = (typeof moments)[number];
type WithdrawnItem = {
  readonly id: string;
  readonly name: string;
  readonly moment: WithdrawalMoment;
};

const withdrawItem = ({ id }: WithdrawnItem) =>
  changeItem(world, db, id, { action: 'withdraw', actor: 'Ada', note: null });
const requestsOf = (name: string) =>
  services.received.filter(({ text }) => text.includes(`Chips ${name}.`)).length;

const advanceAndSend = async (ms: number) => {
  clock.set(clock.now() + ms);
  await radar.match();
  await radar.send();
};

async function publishItems(firstIndex: number): Promise<readonly WithdrawnItem[]> {
  const items: WithdrawnItem[] = [];
  for (
    let index = firstIndex;
    index < Math.min(firstIndex + ITEMS_PER_ROUND, WITHDRAWAL_COUNT);
    index += 1
  ) {
    const moment = moments[Math.floor(random.next() * moments.length)] ?? 'before sending';
    const name = `${moment === 'between attempts' ? 'failing' : 'gone'} n${index}`;
    const id = await publisher.publish({ source: 'press', title: `Chips ${name}.` });
    // The match waits for the story engine, two minutes at most.
    if (moment === 'before creation') await queueStoryAssignments(db, [id]);
    items.push({ id, name, moment });
  }
  return items;
}

test('no withdrawn item is sent', { timeout: proofSize(120_000, 1_800_000) }, async () => {
  services.respond('webhook', ({ text }) =>
    text.includes('Chips failing') ? { status: 503, body: '' } : { status: 200, body: '' },
  );
  let publicCount = 0;
  for (let firstIndex = 0; firstIndex < WITHDRAWAL_COUNT; firstIndex += ITEMS_PER_ROUND) {
    const items = await publishItems(firstIndex);
    const withdrawAt = async (moment: WithdrawalMoment) => {
      for (const item of items) if (item.moment === moment) await withdrawItem(item);
    };
    await publisher.publish({ source: 'press', title: `Chips kept k${firstIndex}.` });
    await radar.match();
    await withdrawAt('before creation');
    await withdrawAt('before sending');
    await advanceAndSend(1_000);
    await withdrawAt('between attempts');
    await advanceAndSend(2 * MINUTE_MS);
    await advanceAndSend(10 * MINUTE_MS);
    for (const { name, moment } of items) {
      const requestCount = requestsOf(name);
      expect({ name, sent: requestCount }).toEqual({
        name,
        sent: moment === 'between attempts' ? 1 : 0,
      });
    }
    publicCount += requestsOf(`kept k${firstIndex}`);
  }
  expect(publicCount).toBe(Math.ceil(WITHDRAWAL_COUNT / ITEMS_PER_ROUND));
  const states = new Set((await radar.deliveries()).map(({ state }) => state));
  expect([...states].sort()).toEqual(['delivered', 'void']);
  process.stdout.write(`${WITHDRAWAL_COUNT} withdrawals between match and message, none sent\n`);
});
