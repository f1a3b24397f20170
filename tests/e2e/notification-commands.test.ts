// `radar channel`, `radar subscription` and `radar delivery` as an operator runs them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openServices } from '../../demo/receivers/open-services.ts';
import { openNotificationSender } from '../../src/notifications/open-sender.ts';
import { createNotifications, listDeliveryRows } from '../../src/store/notifications/deliveries.ts';
import { runRadarCommand } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { db, connection } = await openTestDatabase();
const { world, clock } = testWorld(5, Date.now());
const services = await openServices({ now: Date.now });
const folder = mkdtempSync(join(tmpdir(), 'radar-notify-'));
afterAll(async () => {
  await services.close();
  rmSync(folder, { recursive: true });
});
const config = join(folder, 'radar.config.json');
const network = { privateHosts: ['127.0.0.0/8'], politenessMs: 0 };
writeFileSync(config, JSON.stringify({ name: 'Night Radar', network }));
const environment = { DATABASE_URL: urlOf(connection), RADAR_CONFIG: config, DATA_DIR: folder };
const runCommand = (...args: readonly string[]) => runRadarCommand(args, environment);

const setOptions = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
const idIn = (text: string) => /\b(?:chn|sub)_\w+/.exec(text)?.[0] ?? '';
let channel = '';

test('lists the fields of a channel, names invalid ones, adds and tests a channel', async () => {
  expect((await runCommand('channel', 'list')).out).toBe(
    'No channels yet. Add one: radar channel add <kind>\n',
  );
  expect((await runCommand('channel', 'add', 'telegram')).out).toBe(
    'Fields of Telegram: token, chat, thread (optional), url (optional) ' +
      '[https://api.telegram.org]\n',
  );
  expect((await runCommand('channel', 'add', 'webhook')).out).toBe(
    'Fields of Webhook: url, secret (optional)\n',
  );
  const rejection = await runCommand(
    'channel',
    'add',
    'telegram',
    '--set',
    'token=x',
    '--set',
    'colour=red',
  );
  expect([rejection.code, rejection.err]).toEqual([
    1,
    expect.stringContaining(
      'colour: is unknown; token: is not valid; chat: is required. Fields of Telegram:',
    ),
  ]);
  expect((await runCommand('channel', 'add', 'pigeon')).err).toContain(
    'pigeon is no kind of channel',
  );
  const invalidAction = await runCommand('channel', 'add', 'webhook', '--when-unsure', 'keep');
  expect(invalidAction.err).toContain(
    "argument 'keep' is invalid. Allowed choices are send, drop.",
  );
  const addedChannel = await runCommand(
    'channel',
    'add',
    'webhook',
    ...setOptions(services.fieldsOf('webhook')),
  );
  channel = idIn(addedChannel.out);
  expect(addedChannel.out).toBe(`added ${channel}. Test it: radar channel test ${channel}\n`);
  expect((await runCommand('channel', 'test', channel)).out).toBe('delivered: status 200\n');
  expect(services.received.at(-1)).toMatchObject({ problems: [], body: { type: 'test' } });
  expect(services.received.at(-1)?.text).toContain('Webhook');
  const channelList = await runCommand('channel', 'list');
  expect(channelList.out).toContain('127.0.0.1');
  expect(channelList.out).not.toContain(services.fieldsOf('webhook').secret);
  services.respond('webhook', () => ({ status: 410, body: '' }));
  const refusal = await runCommand('channel', 'test', channel);
  services.respond('webhook');
  expect([refusal.code === 0, refusal.err]).toEqual([
    false,
    expect.stringContaining('not delivered; the channel is broken: Webhook 410'),
  ]);
});

test('refuses a subscription by field, then adds, shows, pauses and resumes it', async () => {
  const rejection = await runCommand(
    'subscription',
    'add',
    'chn_none',
    '--any',
    'a',
    '--every',
    '7',
  );
  expect(rejection.code).not.toBe(0);
  expect(rejection.err).toContain('match.any: each text must have 2 to 200 characters');
  expect(rejection.err).toContain('schedule');
  expect((await runCommand('subscription', 'add', 'chn_none', '--any', 'chips')).err).toContain(
    'channel: no channel chn_none',
  );
  const addedSubscription = await runCommand(
    'subscription',
    'add',
    channel,
    '--name',
    'Chips',
    '--any',
    'chips',
  );
  const id = idIn(addedSubscription.out);
  expect(addedSubscription.out).toBe(`added ${id}\n`);
  const repeatedAdd = await runCommand('subscription', 'add', channel, '--any', 'chips');
  expect(repeatedAdd.err).toContain(`An equal subscription exists on this channel: ${id}`);
  const file = join(folder, 'alerts.json');
  writeFileSync(file, JSON.stringify({ name: 'Alerts', kind: 'alerts', match: {}, channel }));
  expect((await runCommand('subscription', 'add', '--file', file)).out).toMatch(/^added sub_/);
  expect((await runCommand('subscription', 'test', id)).out).toBe(
    'Notifications in the last 7 days: 0\n',
  );
  const editedFile = join(folder, 'chips.json');
  const definition = { name: 'Chips', kind: 'news', match: { any: ['wafers'] } };
  writeFileSync(editedFile, JSON.stringify(definition));
  expect((await runCommand('subscription', 'edit', id, '--file', editedFile)).out).toBe(
    `saved ${id}\n`,
  );
  expect((await runCommand('subscription', 'pause', id)).out).toBe(`${id} is paused.\n`);
  expect((await runCommand('subscription', 'list')).out).toMatch(
    new RegExp(`${id} +news +Chips +${channel} +paused +instant`),
  );
  expect((await runCommand('subscription', 'resume', id)).out).toBe(`${id} is on.\n`);
  expect((await runCommand('subscription', 'remove', 'sub_none')).err).toContain(
    'radar subscription list',
  );
});

test('lists a delivery with its reason, sends it again, and cancels it', async () => {
  expect((await runCommand('delivery', 'list')).out).toBe('No deliveries yet.\n');
  const [subscription] = JSON.parse((await runCommand('subscription', 'list', '--json')).out);
  await createNotifications(db, [
    {
      id: 'ntf_1',
      deliveryId: 'dlv_1',
      channelId: channel,
      subscription_id: subscription.id,
      subject: 'story:sty_1',
      reason: 'new',
      subjects: ['story:sty_1'],
      items: [],
      contradictions: 0,
      created_at: clock.now(),
    },
  ]);
  const deps = { smtp: null, mailsPerMinute: 60, content: async () => null };
  const sender = openNotificationSender(world, db, deps);
  const stateOf = async () => (await listDeliveryRows(db, { limit: 1 }))[0]?.state;
  await until(async () => ((await stateOf()) === 'void' ? true : null));
  await sender.close();
  expect((await runCommand('delivery', 'list', '--state', 'void')).out).toMatch(
    /dlv_1 .* void +Webhook +Chips +new/,
  );
  expect((await runCommand('delivery', 'send', 'dlv_1')).out).toBe('dlv_1 is sent again.\n');
  expect((await runCommand('delivery', 'drop', 'dlv_1')).out).toBe('dlv_1 is dropped.\n');
  expect(await stateOf()).toBe('dropped');
  const repeatedDrop = await runCommand('delivery', 'drop', 'dlv_1');
  expect([repeatedDrop.code === 0, repeatedDrop.err]).toEqual([
    false,
    expect.stringContaining('There is no waiting delivery dlv_1. See: radar delivery list'),
  ]);
});

test('resumes a broken channel, and removes a channel with its subscriptions', async () => {
  expect((await runCommand('channel', 'resume', channel)).out).toBe(`${channel} is on.\n`);
  expect((await runCommand('channel', 'remove', channel)).out).toBe(`${channel} is removed.\n`);
  expect((await runCommand('subscription', 'list')).out).toContain('No subscriptions yet.');
  expect((await runCommand('channel', 'remove', channel)).err).toContain('radar channel list');
});
