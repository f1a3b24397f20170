// Channels, subscriptions and deliveries in a real browser: both languages, wide and narrow, empty
// and filled. A channel is added and tested without scripts.
import axe from 'axe-core';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServices } from '../../demo/receivers/open-services.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { addChannel } from '../../src/notifications/channels.ts';
import { addSubscription } from '../../src/radar/subscriptions/change-subscriptions.ts';
import { createInstantNotifications } from '../../src/radar/subscriptions/create-notifications.ts';
import { matchBatch, openMatcher } from '../../src/radar/subscriptions/match-log.ts';
import { markChannelBroken } from '../../src/store/notifications/channels.ts';
import { listDeliveryRows, saveOutcome } from '../../src/store/notifications/deliveries.ts';
import { openTestAdmin, type TestAdmin } from '../admin/admin-session.ts';
import {
  desktop,
  hasBrowser,
  narrowPhone,
  openTestBrowser,
  phone,
  type Tab,
} from '../support/browser.ts';
import { openStoryPublisher } from '../support/published-stories.ts';

const cleanLayout = { shifted: 0, overflow: 0 };
const english = await openTestAdmin();
const chinese = await openTestAdmin({ language: 'zh-CN' });
const emptyRadar = await openTestAdmin();
const browser = openTestBrowser();
const services = await openServices({ now: english.world.clock.now });
afterAll(services.close);
const ids = new Map<TestAdmin, { channel: string; subscription: string; delivery: string }>();

async function addContent(radar: TestAdmin): Promise<void> {
  const { world, db } = radar;
  const publisher = openStoryPublisher(world, db);
  await publisher.addSource({ id: 'wire', name: 'The Wire' });
  const matcher = openMatcher();
  await matchBatch(world, db, matcher);
  const addTestChannel = async (kind: 'slack' | 'telegram', name: string) => {
    const input = { kind, name, fields: services.fieldsOf(kind) };
    const addedChannel = await addChannel(world, db, input, { hasSmtp: false });
    if (addedChannel.kind !== 'added') throw new Error(JSON.stringify(addedChannel));
    return addedChannel.id;
  };
  const channel = await addTestChannel('slack', 'Newsroom');
  const brokenChannel = await addTestChannel('telegram', 'On call');
  const reason =
    'Telegram 403: Forbidden: bot was kicked. Add the bot to the chat and permit it to write.';
  await markChannelBroken(db, brokenChannel, { reason, at: world.clock.now() });
  const news = {
    name: 'Chips',
    kind: 'news',
    channel,
    match: { any: ['chips', '芯片'], none: ['opinion'] },
  };
  const addedSubscription = await addSubscription(world, db, news, { categories: [] });
  const subscription = addedSubscription.kind === 'added' ? addedSubscription.id : '';
  const schedule = { daily: ['08:00', '18:00'], days: [1, 2, 3, 4, 5], zone: 'Asia/Shanghai' };
  const daily = {
    name: 'Dailies',
    kind: 'report',
    channel: brokenChannel,
    match: { reports: ['daily'] },
  };
  await addSubscription(world, db, { ...daily, schedule }, { categories: [] });
  radar.setClock(world.clock.now() + HOUR_MS);
  for (const [index, title] of [
    'Chips are short in Halden',
    '芯片短缺',
    'Chips are back',
  ].entries()) {
    await publisher.publish({ source: 'wire', title, story: `story-${index}` });
  }
  while (await matchBatch(world, db, matcher));
  await createInstantNotifications(world, db);
  const rows = await listDeliveryRows(db, { limit: 10 });
  const [firstRow, secondRow] = rows;
  const outcome = { tries: 8, at: world.clock.now(), dueAt: null, isUnsure: true, remoteId: null };
  const error = 'Slack 500: status 500';
  await saveOutcome(db, firstRow?.id ?? '', { ...outcome, state: 'failed', status: 500, error });
  const deliveredOutcome = { ...outcome, tries: 1, isUnsure: false, status: 200, error: null };
  await saveOutcome(db, secondRow?.id ?? '', { ...deliveredOutcome, state: 'delivered' });
  ids.set(radar, { channel: brokenChannel, subscription, delivery: firstRow?.id ?? '' });
  await radar.publication.catchUp();
}

beforeAll(async () => {
  for (const radar of [english, chinese]) await addContent(radar);
});

async function signIn(tab: Tab, radar: TestAdmin, path: string): Promise<void> {
  await tab.goto(radar.origin + path);
  await tab.fill('[name=password]', radar.password);
  await tab.press('[name=password]', 'Enter');
  await tab.waitForURL(`**${path}`);
}

const pages = [
  '/channels',
  '/channels/add',
  '/channels/add?kind=telegram',
  '/channels/add?kind=webhook',
  '/subscriptions',
  '/subscriptions/add',
  '/subscriptions/add?kind=report',
  '/subscriptions/add?kind=story',
  '/subscriptions/add?kind=alerts',
  '/deliveries',
  '/deliveries?state=failed',
  '/health',
  '/setup',
  '/sources/add',
  '/sources/import',
];

describe.skipIf(!hasBrowser)('pages about notifications', () => {
  test.each([
    ['English, desktop, light', english, desktop],
    ['Chinese, phone, dark', chinese, phone],
    ['English, 320 pixels', english, narrowPhone],
    ['empty, phone', emptyRadar, phone],
  ] as const)('has no shift, overflow or axe violation: %s', async (_name, radar, appearance) => {
    const tab = await browser.open(appearance);
    await signIn(tab, radar, '/admin/channels');
    const idsOfRadar = ids.get(radar);
    const detailPages =
      idsOfRadar === undefined
        ? []
        : [
            `/channels/${idsOfRadar.channel}`,
            `/subscriptions/${idsOfRadar.subscription}`,
            `/deliveries/${idsOfRadar.delivery}`,
          ];
    for (const path of [...pages, ...detailPages]) {
      await tab.goto(`${radar.origin}/admin${path}`, { waitUntil: 'load' });
      expect([path, await tab.evaluate('inPage.measureLayout()')]).toEqual([path, cleanLayout]);
      await tab.evaluate(axe.source);
      expect([path, await tab.evaluate('inPage.violations()')]).toEqual([path, []]);
    }
    expect(tab.complaints).toEqual([]);
  });

  test('decode a chosen OPML file by its declared encoding and fill the form with it', async () => {
    const tab = await browser.open(desktop);
    await signIn(tab, english, '/admin/sources/import');
    const outline = '<outline text="机器之心" type="rss" xmlUrl="https://a.example/feed"/>';
    const opmlHead = '<?xml version="1.0" encoding="GBK"?>';
    const text = `${opmlHead}<opml version="2.0"><body>${outline}</body></opml>`;
    const file = { name: 'feeds.opml', mimeType: 'text/x-opml', buffer: iconv.encode(text, 'gbk') };
    await tab.setInputFiles('#opml-file', file);
    await tab.waitForFunction("document.querySelector('textarea').value.includes('机器之心')");
    await tab.click('button[value=preview]');
    await tab.waitForSelector('table');
    expect(await tab.textContent('tbody')).toContain('机器之心');
    expect(tab.complaints).toEqual([]);
  });

  test('add and test a channel and preview a subscription without scripts', async () => {
    const tab = await browser.open(phone, { javaScriptEnabled: false });
    await signIn(tab, english, '/admin/channels/add?kind=slack');
    await tab.fill('[name="field-url"]', services.fieldsOf('slack').url ?? '');
    await tab.getByRole('button', { name: 'Add a channel' }).click();
    await tab.getByRole('button', { name: 'Send a test' }).click();
    expect(await tab.locator('.notice').textContent()).toContain('The service accepted the test');
    await tab.getByRole('link', { name: 'Add a subscription →' }).click();
    await tab.fill('[name=name]', 'Everything about chips');
    await tab.fill('[name=any]', 'chips');
    await tab.getByRole('button', { name: 'Show what this subscription would have sent' }).click();
    expect(await tab.locator('aside h2').textContent()).toMatch(/^Would have sent \d notif/);
    await tab.getByRole('button', { name: 'Add a subscription' }).click();
    expect(await tab.locator('h1').textContent()).toBe('Everything about chips');
  });
});
