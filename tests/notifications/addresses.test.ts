// A channel's address is refused when it is private or redirects. An address that becomes private
// later is refused at every delivery.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openServices } from '../../demo/receivers/open-services.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { channelKinds } from '../../src/notifications/channel-kinds.ts';
import { addChannel } from '../../src/notifications/channels.ts';
import { sendMessage } from '../../src/notifications/send-message.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { messageOf } from './messages.ts';

const { world, clock } = testWorld(7);
const options = { clock, politenessMs: 0, userAgent: 'ContentRadar/test' };
/** Configuration without permitted private addresses. */
const guardedWorld = { ...world, net: openNet({ ...options, privateHosts: [] }) };
const { db } = await openTestDatabase();
const services = await openServices({ now: clock.now });
const redirectServer = createServer((_req, res) => {
  res.writeHead(302, { location: services.fieldsOf('webhook').url }).end();
});
await new Promise<void>((resolve) => redirectServer.listen(0, '127.0.0.1', resolve));
const redirectUrl = `http://127.0.0.1:${(redirectServer.address() as AddressInfo).port}/`;
afterAll(async () => {
  redirectServer.close();
  await guardedWorld.net.close();
  await services.close();
});

const addTestChannel = (url: string, senderWorld = guardedWorld) =>
  addChannel(
    senderWorld,
    db,
    { kind: 'webhook', name: 'Hook', fields: { url } },
    { hasSmtp: false },
  );
const refusedResult = { kind: 'invalid', problems: [{ field: 'url', problem: 'refused_address' }] };
const malformedResult = { kind: 'invalid', problems: [{ field: 'url', problem: 'malformed' }] };

test.each([
  'http://127.0.0.1:9/hook',
  'http://[::1]:9/hook',
  'http://10.1.2.3/hook',
  'http://169.254.169.254/latest/meta-data',
  'http://localhost:9/hook',
  'http://[::ffff:192.168.1.1]/hook',
])('%s is refused when it is saved', async (url) => {
  expect(await addTestChannel(url)).toEqual(refusedResult);
});

test.each([
  'file:///etc/passwd',
  'ftp://example.com/hook',
  'https://user:password@example.com/hook',
  'https://example.com/hook#part',
  'not an address',
])('%s is malformed', async (url) => {
  expect(await addTestChannel(url)).toEqual(malformedResult);
});

test('refuses an address that redirects, and follows no redirect at a delivery', async () => {
  expect(await addTestChannel(redirectUrl, world)).toEqual(refusedResult);
  const requestsBefore = services.received.length;
  const result = await sendMessage(world, null, {
    kind: channelKinds.webhook,
    fields: { ...services.fieldsOf('webhook'), url: redirectUrl },
    message: messageOf(),
    id: 'dlv_1',
    eventAt: clock.now(),
    subscriptionId: 'sub_1',
    remoteId: null,
  });
  expect(result).toMatchObject({ kind: 'retry', status: 302 });
  expect(services.received.length).toBe(requestsBefore);
});

test('an address that became private breaks the channel at the next delivery', async () => {
  expect((await addTestChannel(services.fieldsOf('webhook').url ?? '', world)).kind).toBe('added');
  const requestsBefore = services.received.length;
  const result = await sendMessage(guardedWorld, null, {
    kind: channelKinds.webhook,
    fields: services.fieldsOf('webhook'),
    message: messageOf(),
    id: 'dlv_2',
    eventAt: clock.now(),
    subscriptionId: 'sub_1',
    remoteId: null,
  });
  expect(result).toEqual({
    kind: 'broken',
    status: null,
    reason: 'The address is not permitted.',
  });
  expect(services.received.length).toBe(requestsBefore);
});
