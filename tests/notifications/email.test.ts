// Notifications arrive by mail at a mail server on loopback, which refuses some addresses. The
// tests read bodies and headers.
import { expect, test } from 'vitest';
import { openSmtp } from '../../src/kernel/net/smtp.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { findSubscription } from '../../src/radar/subscriptions/change-subscriptions.ts';
import { openTestSubscriptions } from '../subscriptions/test-subscriptions.ts';
import { openMailServer } from '../support/mail-server.ts';

const mails = await openMailServer({ refuses: (address) => address.startsWith('gone@') });
const smtp = openSmtp({
  host: '127.0.0.1',
  port: mails.port,
  secure: false,
  requireTls: false,
  from: 'Radar <radar@radar.example>',
});
const radar = await openTestSubscriptions({ smtp, mailsPerMinute: 5 });
const { publisher, clock, db } = radar;
await publisher.addSource({ id: 'press', name: 'The press' });
await radar.match();
const readNewestDelivery = async () => (await radar.deliveries())[0];
let storyCount = 0;

async function publish(word: string): Promise<void> {
  storyCount += 1;
  clock.set(clock.now() + MINUTE_MS);
  await publisher.publish({
    source: 'press',
    title: `News of ${word} & more`,
    story: `sty_${storyCount}`,
  });
  await radar.match();
  await radar.send();
}

test('sends a story as a mail with text and HTML, without images or remote content', async () => {
  const mailbox = await radar.addChannel('email');
  const id = await radar.subscribe(mailbox, { name: 'Chips', match: { any: ['chips'] } });
  await publish('chips');
  const mail = await mails.nextMail('desk@example.com');
  const delivery = await readNewestDelivery();
  expect(delivery).toMatchObject({ state: 'delivered', lastStatus: 250, isUnsure: false });
  expect(mail).toMatchObject({
    id: `<${delivery?.id}@radar.example>`,
    subject: 'News of chips & more',
  });
  expect(mail.head).toMatch(new RegExp(`^List-ID: <${id}\\.content-radar>$`, 'm'));
  expect(mail.head).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(mail.head).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(mail.head).not.toMatch(/^List-Unsubscribe/m);
  expect(mail.text.trimEnd()).toBe(
    'News of chips & more\n\n1 source: The press\n\n' +
      'Read the story: https://radar.example/stories/sty_1',
  );
  expect(mail.html?.trimEnd()).toBe(
    '<!doctype html><html lang="en"><body><h1>News of chips &amp; more</h1>\n\n' +
      '<p>1 source: The press</p>\n' +
      '<p><a href="https://radar.example/stories/sty_1">Read the story</a></p></body></html>',
  );
});

test('a queue longer than the limit of mails in a minute becomes one mail', async () => {
  const mailbox = await radar.addChannel('email', 'send', { to: 'many@example.com' });
  await radar.subscribe(mailbox, { name: 'Many', match: { any: ['flood'] } });
  clock.set(clock.now() + MINUTE_MS);
  for (let index = 0; index < 6; index += 1) {
    await publisher.publish({
      source: 'press',
      title: `Flood number ${index}`,
      story: `sty_flood${index}`,
    });
  }
  await radar.match();
  await radar.send();
  const mail = await mails.nextMail('many@example.com');
  expect(mail.subject).toContain('Many: 6 stories');
  const states = (await radar.deliveries()).filter(({ channelId }) => channelId === mailbox);
  expect(states.filter(({ state }) => state === 'replaced')).toHaveLength(6);
});

test('three refusals of an address end its subscription', async () => {
  const mailbox = await radar.addChannel('email', 'send', { to: 'gone@example.com' });
  const id = await radar.subscribe(mailbox, { name: 'Wheat', match: { any: ['wheat'] } });
  for (let round = 1; round <= 3; round += 1) {
    await publish('wheat');
    expect(await readNewestDelivery()).toMatchObject({ state: 'failed', lastStatus: 550 });
    expect((await readNewestDelivery())?.lastError).not.toContain('gone@example.com');
    expect((await findSubscription(db, id))?.state).toBe(round < 3 ? 'on' : 'ended');
  }
});

test('retries an unreachable mail server, and the outcome is not unknown', async () => {
  await mails.close();
  const mailbox = await radar.addChannel('email', 'send', { to: 'later@example.com' });
  await radar.subscribe(mailbox, { name: 'Rice', match: { any: ['rice'] } });
  await publish('rice');
  expect(await readNewestDelivery()).toMatchObject({ state: 'waiting', tries: 1, isUnsure: false });
});
