// Channels, subscriptions and deliveries on the operators' pages, against a service on loopback.
// A channel is tested, a subscription previewed, and a delivery sent again.
import { afterAll, expect, test } from 'vitest';
import { openServices } from '../../demo/receivers/open-services.ts';
import { openNotificationSender } from '../../src/notifications/open-sender.ts';
import { createInstantNotifications } from '../../src/radar/subscriptions/create-notifications.ts';
import { matchBatch, openMatcher } from '../../src/radar/subscriptions/match-log.ts';
import { notificationContent } from '../../src/radar/subscriptions/notification-content.ts';
import { listDeliveryRows } from '../../src/store/notifications/deliveries.ts';
import { readFormFields } from '../support/form-browser.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { until } from '../support/until.ts';
import { openTestAdmin } from './admin-session.ts';

const admin = await openTestAdmin();
const { world, db } = admin;
const services = await openServices({ now: world.clock.now });
afterAll(services.close);
const publisher = openStoryPublisher(world, db);
await publisher.addSource({ id: 'press', name: 'The press' });
const matcher = openMatcher();
await matchBatch(world, db, matcher);
const operator = await admin.signIn();
const idIn = (text: string, kind: 'chn' | 'sub' | 'dlv') =>
  new RegExp(`/admin/\\w+/(${kind}_\\w+)`).exec(text)?.[1] ?? '';
const fieldsOf = (kind: 'webhook' | 'telegram') =>
  Object.fromEntries(
    Object.entries(services.fieldsOf(kind)).map(([name, value]) => [`field-${name}`, value]),
  );
let channel = '';
let subscription = '';

test('empty pages describe future content and link to the first channel', async () => {
  const pages = await Promise.all(
    ['channels', 'subscriptions', 'deliveries'].map((name) => operator.get(`/admin/${name}`)),
  );
  const [channels, subscriptions, deliveries] = pages.map(({ text }) => text);
  expect(channels).toContain('No channels yet');
  expect(subscriptions).toContain('A subscription needs a channel. Add one first.');
  expect(subscriptions).toContain('href="/admin/channels/add"');
  expect(deliveries).toContain('Nothing here yet.');
  const kinds = (await operator.get('/admin/channels/add')).text;
  expect(kinds.match(/\/admin\/channels\/add\?kind=/g)).toHaveLength(11);
});

test('shows every error of a refused channel beside its field, and keeps typed text', async () => {
  const page = '/admin/channels/add?kind=telegram';
  const formInput = {
    ...fieldsOf('telegram'),
    'field-token': 'wrong',
    'field-chat': '',
    name: 'Desk',
  };
  const refusal = await operator.submit(page, '/admin/channels/add', formInput);
  expect(refusal.status).toBe(422);
  expect(refusal.text).toContain('<a href="#f-field-token">Token: This value is not valid.</a>');
  expect(refusal.text).toContain('Chat id or @name: This field is required.');
  expect(refusal.text).toContain('value="wrong"');
  const mailPage = await operator.submit('/admin/channels/add?kind=email', '/admin/channels/add', {
    'field-to': 'ada@example.com',
  });
  expect([mailPage.status, mailPage.text]).toEqual([
    422,
    expect.stringContaining('No mail server is configured'),
  ]);
});

test('adds a channel with alerts, shows its new secret once, and sends a test', async () => {
  const { 'field-secret': secret, ...otherFields } = fieldsOf('webhook');
  const page = '/admin/channels/add?kind=webhook';
  const createdPage = await operator.submit(page, '/admin/channels/add', {
    ...otherFields,
    name: 'Made',
  });
  expect(createdPage.text).toMatch(/shown only now:<\/p><p><code>whsec_[\w+/=]+<\/code>/);
  const otherChannel = idIn(createdPage.text, 'chn');
  expect((await operator.get(`/admin/channels/${otherChannel}`)).text).not.toContain('whsec_');
  await operator.submit(
    `/admin/channels/${otherChannel}`,
    `/admin/channels/${otherChannel}/remove`,
  );
  const fields = { ...otherFields, 'field-secret': secret ?? '', name: 'Desk', alerts: 'on' };
  const addedPage = await operator.submit(page, '/admin/channels/add', fields);
  channel = idIn(addedPage.text.slice(addedPage.text.indexOf('<h1>')), 'chn');
  expect(addedPage.text).toContain('Alerts · Desk');
  expect(addedPage.text).not.toContain(secret);
  const path = `/admin/channels/${channel}`;
  const testedPage = await operator.submit(path, `${path}/test`);
  expect(testedPage.text).toContain('The service accepted the test (status 200).');
  expect(services.received.at(-1)).toMatchObject({ problems: [], body: { type: 'test' } });
  services.respond('webhook', () => ({ status: 410, body: '' }));
  const failedPage = await operator.submit(path, `${path}/test`);
  services.respond('webhook');
  expect(failedPage.text).toContain('The service did not accept the test.');
  expect(failedPage.text).toContain('Webhook 410');
  expect((await operator.get('/admin/channels')).text).toContain('works');
});

test('previews, refuses by field, saves, edits and lists a subscription', async () => {
  await publisher.publish({ source: 'press', title: 'Chips are short', story: 'sty_1' });
  await publisher.publish({ source: 'press', title: 'Chips are short, too', story: 'sty_1' });
  await publisher.publish({ source: 'press', title: 'Chips are back', story: 'sty_2' });
  await admin.publication.catchUp();
  const page = '/admin/subscriptions/add';
  const formInput = { name: 'Chips', channel, any: 'chips', mode: 'selected', updates: 'on' };
  const preview = await operator.submit(page, page, { ...formInput, intent: 'preview' });
  expect(preview.text).toContain('Would have sent 2 notifications in the last 7 days.');
  expect(preview.text).toContain('Chips are back');
  expect(preview.text).toContain('value="Chips"');
  const invalidForm = {
    ...formInput,
    any: 'c',
    minScore: '900',
    schedule: 'daily',
    daily: '25:00',
    quietFrom: '23:00',
    quietTo: '07:00',
    zone: 'Mars',
  };
  const refusal = await operator.submit(page, page, { ...invalidForm, intent: 'save' });
  expect(refusal.status).toBe(422);
  for (const text of [
    'Any of these texts: each text must have 2 to 200 characters',
    'At least this score: ',
    'Times: a time such as 08:00',
    'Time zone: a time zone such as Asia/Shanghai<',
  ]) {
    expect(refusal.text).toContain(text);
  }
  const emptyPage = await operator.submit(page, page, { name: 'All', channel, intent: 'save' });
  expect(emptyPage.text).toContain(
    'Any of these texts: at least one text, category, publisher or minimum score is required',
  );
  const savedPage = await operator.submit(page, page, { ...formInput, intent: 'save' });
  subscription = idIn(savedPage.text.slice(savedPage.text.indexOf('<h1>')), 'sub');
  expect(savedPage.text).toContain('Saved.');
  const duplicatePage = await operator.submit(page, page, {
    ...formInput,
    name: 'Again',
    intent: 'save',
  });
  expect([duplicatePage.status, duplicatePage.text]).toEqual([
    409,
    expect.stringContaining(`<a href="/admin/subscriptions/${subscription}">`),
  ]);
  const path = `/admin/subscriptions/${subscription}`;
  const editedPage = await operator.submit(path, path, { none: 'opinion', intent: 'save' });
  expect(editedPage.text).toContain('Saved.');
  const list = (await operator.get('/admin/subscriptions')).text;
  expect(list).toContain('any of: chips · none of: opinion');
  expect(list).toContain('at once');
  const pausedPage = await operator.submit(path, `${path}/pause`);
  expect(pausedPage.text).toContain('>Resume</button>');
  const staleForm = { ...readFormFields(pausedPage.text, `${path}/resume`), version: '1' };
  expect((await operator.post(`${path}/resume`, staleForm)).status).toBe(409);
  await operator.submit(path, `${path}/resume`);
});

test('each kind of subscription has its own form', async () => {
  const page = (kind: string) => `/admin/subscriptions/add?kind=${kind}&channel=${channel}`;
  const addPath = '/admin/subscriptions/add';
  const reportPage = await operator.submit(page('report'), addPath, {
    name: 'Dailies',
    reports: 'daily',
    schedule: 'daily',
    daily: '08:00',
    days: ['1', '2'],
    intent: 'save',
  });
  expect(reportPage.text).toContain('value="08:00"');
  expect((await operator.get('/admin/subscriptions')).text).toContain(
    '08:00 · Mon, Tue · Asia/Shanghai',
  );
  const storyPage = await operator.submit(page('story'), addPath, {
    name: 'Follow',
    story: 'sty_none',
    intent: 'save',
  });
  expect([storyPage.status, storyPage.text]).toEqual([
    422,
    expect.stringContaining('Id of the story: no public story sty_none'),
  ]);
});

test('shows a delivery with its text and reason, cancels it and sends it again', async () => {
  admin.setClock(world.clock.now() + 60_000);
  await publisher.publish({ source: 'press', title: 'Chips for all', story: 'sty_3' });
  while (await matchBatch(world, db, matcher));
  await createInstantNotifications(world, db);
  const [firstDelivery] = await listDeliveryRows(db, { limit: 1 });
  const path = `/admin/deliveries/${firstDelivery?.id}`;
  const deliveryLog = (await operator.get('/admin/deliveries?state=waiting')).text;
  expect(deliveryLog).toContain(`<a href="${path}">`);
  expect(deliveryLog).toContain('Chips for all');
  expect((await operator.get('/admin/deliveries?state=failed')).text).toContain(
    'Nothing here yet.',
  );
  const droppedPage = await operator.submit(path, `${path}/drop`);
  expect(droppedPage.text).toContain('given up');
  const repeatedPage = await operator.submit(path, `${path}/send`);
  expect(repeatedPage.text).toContain('Text as it would be sent now');
  const site = { url: 'http://radar.example', wireItem: (item: object) => item };
  const sender = openNotificationSender(world, db, {
    smtp: null,
    mailsPerMinute: 60,
    content: (request) => notificationContent(db, site, request),
  });
  await until(async () =>
    (await listDeliveryRows(db, { limit: 1 }))[0]?.state === 'delivered' ? true : null,
  );
  await sender.close();
  expect((await operator.get(path)).text).toContain('status 200');
});

test('the audit log links each changed object, and an unknown channel returns 404', async () => {
  const auditPage = (await operator.get('/admin/audit')).text;
  for (const [folder, id] of [
    ['channels', channel],
    ['subscriptions', subscription],
  ]) {
    expect(auditPage).toContain(`/admin/${folder}/${id}`);
  }
  const deliveries = (await operator.get('/admin/audit?kind=delivery')).text;
  expect(deliveries).toContain('/admin/deliveries/dlv_');
  expect((await operator.get('/admin/channels/chn_none')).status).toBe(404);
});
