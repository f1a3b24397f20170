// Every kind of channel sends to a service on loopback, which checks bodies, sizes and signatures.
import { afterAll, expect, test } from 'vitest';
import {
  openServices,
  type ServiceKind,
  serviceKinds,
} from '../../demo/receivers/open-services.ts';
import { channelKinds } from '../../src/notifications/channel-kinds.ts';
import type { NotificationMessage } from '../../src/notifications/message.ts';
import { sendMessage } from '../../src/notifications/send-message.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';
import { digestMessage, hostileTitles, longMessage, messageOf } from './messages.ts';

const { world, clock } = testWorld(23);
const services = await openServices({ now: clock.now });
afterAll(services.close);

const send = (kind: ServiceKind, message: NotificationMessage, remoteId: string | null = null) =>
  sendMessage(world, null, {
    kind: channelKinds[kind],
    fields: services.fieldsOf(kind),
    message,
    id: 'dlv_1',
    eventAt: clock.now(),
    subscriptionId: 'sub_1',
    remoteId,
  });

const readLastRequest = () => services.received.at(-1);
const jsonResponse = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) });
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

test.each(serviceKinds)('%s accepts a story with its signature', async (kind) => {
  const result = await send(kind, messageOf());
  expect({ result: result.kind, problems: readLastRequest()?.problems }).toEqual({
    result: 'delivered',
    problems: [],
  });
});

test.each(serviceKinds)('%s accepts every hostile title, cut to its limit', async (kind) => {
  for (const title of hostileTitles) {
    for (const message of [messageOf({ title }), longMessage(title)]) {
      const result = await send(kind, message);
      expect({
        title: title.slice(0, 40),
        result,
        problems: readLastRequest()?.problems,
      }).toMatchObject({
        result: { kind: 'delivered' },
        problems: [],
      });
    }
  }
});

test('a notification above the limit omits summaries, then entries, never its link', async () => {
  const title = 'A title of ordinary length for a digest, with some more words in it';
  await send('wecom', longMessage(title));
  expect(readLastRequest()?.text).toContain(
    '[Read the story](https://radar.example/stories/sty_1)',
  );
  expect(readLastRequest()?.text).not.toContain(`${title}${title}`);
  await send('bark', longMessage('x'.repeat(600)));
  expect(String(readLastRequest()?.body.body)).toMatch(/\d+ more$/);
  expect(readLastRequest()?.body.url).toBe('https://radar.example/stories/sty_1');
});

/** The body of the request that each service received for one message. */
async function bodiesOf(message: NotificationMessage): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown> = {};
  for (const kind of serviceKinds) {
    await send(kind, message);
    bodies[kind] = readLastRequest()?.body;
  }
  return bodies;
}

const cardOf = (title: string, content: string) => ({
  timestamp: '1787400000',
  sign: expect.stringMatching(/^[\w+/]{43}=$/),
  msg_type: 'interactive',
  card: {
    config: { wide_screen_mode: true },
    header: { template: 'blue', title: { tag: 'plain_text', content: title } },
    elements: [{ tag: 'markdown', content }],
  },
});

const link = 'https://radar.example/stories/sty_1';
const summary = 'It concerns exports of chips.';
const sources = '5 sources, first: The Press';

test('a story has its title once, in the bodies of the services’ documentation', async () => {
  const title = 'Regulator opens a case';
  const text = `${summary}\n${sources}\n\n[Read the story](${link})`;
  const escaped = 'It concerns exports of chips\\.\n5 sources, first\\: The Press';
  expect(await bodiesOf(messageOf())).toEqual({
    webhook: {
      type: 'story.new',
      timestamp: '2026-08-22T12:00:00.000Z',
      data: { reason: 'new', items: [] },
    },
    feishu: cardOf(title, text),
    lark: cardOf(title, text),
    wecom: { msgtype: 'markdown', markdown: { content: `**${title}**\n\n${text}` } },
    dingtalk: {
      msgtype: 'markdown',
      markdown: { title, text: `### ${title}\n\n${text}` },
      at: { isAtAll: false },
    },
    telegram: {
      chat_id: '-1001',
      text: `<b>${title}</b>\n\n${summary}\n${sources}\n\n<a href="${link}">Read the story</a>`,
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    },
    slack: {
      text: title,
      blocks: [`*${title}*`, `${summary}\n${sources}`, `<${link}|Read the story>`].map(section),
      unfurl_links: false,
      unfurl_media: false,
    },
    discord: {
      content: `**${title}**\n[Read the story](<${link}>)`,
      embeds: [{ description: escaped }],
      allowed_mentions: { parse: [] },
    },
    ntfy: {
      topic: 'radar-topic',
      title,
      message: `${escaped}\n\n[Read the story](${link})`,
      click: link,
      tags: ['newspaper'],
      priority: 3,
      markdown: true,
    },
    bark: {
      device_key: 'device-key',
      title,
      body: `${summary}\n${sources}`,
      url: link,
      group: 'radar',
      level: 'active',
      isArchive: '1',
    },
  });
});

test('a digest has the title of each story, and the count of the others', async () => {
  const title = 'Chips: 3 stories';
  const digestLink = 'https://radar.example/search?q=chips';
  const story = `[Regulator opens a case](${link})\n${summary}\n${sources}`;
  const text = `${story}\n\n**Prices**\n\n1 more\n\n[Open the radar](${digestLink})`;
  const escaped = 'It concerns exports of chips\\.\n5 sources, first\\: The Press';
  expect(await bodiesOf(digestMessage())).toMatchObject({
    feishu: cardOf(title, text),
    lark: cardOf(title, text),
    wecom: { markdown: { content: `**${title}**\n\n${text}` } },
    dingtalk: { markdown: { title, text: `### ${title}\n\n${text}` } },
    telegram: {
      text:
        `<b>${title}</b>\n\n<a href="${link}">Regulator opens a case</a>\n${summary}\n` +
        `${sources}\n\n<b>Prices</b>\n\n1 more\n\n<a href="${digestLink}">Open the radar</a>`,
    },
    slack: {
      text: title,
      blocks: [
        `*${title}*`,
        `<${link}|Regulator opens a case>\n${summary}\n${sources}`,
        '*Prices*',
        `1 more · <${digestLink}|Open the radar>`,
      ].map(section),
    },
    discord: {
      content: `**Chips\\: 3 stories**\n1 more · [Open the radar](<${digestLink}>)`,
      embeds: [
        { title: 'Regulator opens a case', url: link, description: escaped },
        { title: 'Prices', description: '' },
      ],
    },
    ntfy: {
      title,
      message:
        `[Regulator opens a case](${link})\n${escaped}\n\n**Prices**\n\n1 more\n\n` +
        `[Open the radar](${digestLink})`,
      click: digestLink,
    },
    bark: {
      title,
      body: `Regulator opens a case\n${summary}\n${sources}\nPrices\n1 more`,
      url: digestLink,
    },
  });
});

test('a message with only a title has no empty part', async () => {
  const entries = [{ title: null, url: null, summary: null, lines: [] }];
  const bodies = await bodiesOf(messageOf({ entries }));
  expect(bodies).toMatchObject({
    feishu: cardOf('Regulator opens a case', `[Read the story](${link})`),
    wecom: { markdown: { content: `**Regulator opens a case**\n\n[Read the story](${link})` } },
    slack: { blocks: ['*Regulator opens a case*', `<${link}|Read the story>`].map(section) },
    discord: { embeds: [] },
    bark: { body: 'Read the story' },
  });
  expect(services.received.slice(-serviceKinds.length).flatMap(({ problems }) => problems)).toEqual(
    [],
  );
});

test('mentions and markup of third parties are plain text in every chat', async () => {
  const title = '<!channel> <at id=all> @everyone <@all> ](javascript:x)';
  const textOf = async (kind: ServiceKind) => {
    await send(kind, messageOf({ title }));
    return readLastRequest()?.text ?? '';
  };
  expect(await textOf('slack')).not.toContain('<!channel>');
  expect(await textOf('feishu')).not.toMatch(/"content":"[^"]*<at id=all>[^"]*"\}\]\}/);
  expect(await textOf('wecom')).not.toMatch(/<@all>|\]\(javascript/);
  expect(await textOf('dingtalk')).not.toMatch(/\]\(javascript/);
  expect(await textOf('telegram')).not.toContain('<at');
  expect(await textOf('discord')).toContain('"allowed_mentions":{"parse":[]}');
});

test('Telegram and Discord edit the message that was sent', async () => {
  await send('telegram', messageOf(), '42');
  expect(readLastRequest()?.path).toBe('/bot123456:TEST-token-of-a-bot/editMessageText');
  expect(readLastRequest()?.body.message_id).toBe(42);
  await send('discord', messageOf(), '77');
  expect(readLastRequest()?.path).toBe('/discord/webhooks/1/secret/messages/77');
});

test('sends a new message when the old message can no longer be edited', async () => {
  services.respond('telegram', ({ path }) =>
    path.endsWith('/editMessageText')
      ? { status: 400, body: '{"ok":false,"description":"message can\'t be edited"}' }
      : { status: 200, body: '{"ok":true,"result":{"message_id":43}}' },
  );
  expect(await send('telegram', messageOf(), '42')).toEqual({
    kind: 'delivered',
    status: 200,
    remoteId: '43',
  });
  services.respond('telegram');
});

test('a repeated edit that changes nothing is delivered, without a new message', async () => {
  const description = 'Bad Request: message is not modified: the new content is the same';
  services.respond('telegram', () => jsonResponse(400, { ok: false, description }));
  const requestsBefore = services.received.length;
  expect(await send('telegram', messageOf(), '42')).toMatchObject({ kind: 'delivered' });
  expect(services.received.length - requestsBefore).toBe(1);
  services.respond('telegram');
});

test('after WeCom 40058 the message is sent once more in a shorter form', async () => {
  services.respond('wecom', ({ text }) => ({
    status: 200,
    body: text.includes('It concerns')
      ? '{"errcode":40058,"errmsg":"exceed max length"}'
      : '{"errcode":0}',
  }));
  const requestsBefore = services.received.length;
  expect(await send('wecom', messageOf())).toMatchObject({ kind: 'delivered' });
  expect(services.received.length - requestsBefore).toBe(2);
  services.respond('wecom');
});

test.each([
  ['feishu', jsonResponse(200, { code: 11232, msg: 'frequency limited' }), 'retry', null],
  ['feishu', jsonResponse(429, {}), 'retry', null],
  ['feishu', jsonResponse(200, { code: 19024, msg: 'Key Words Not Found' }), 'broken', null],
  ['feishu', jsonResponse(200, { code: 9499, msg: 'Bad Request' }), 'refused', null],
  ['lark', jsonResponse(200, { code: 19021, msg: 'sign match fail' }), 'broken', null],
  [
    'wecom',
    jsonResponse(200, { errcode: 45009, errmsg: 'api freq out of limit' }),
    'retry',
    60_000,
  ],
  ['wecom', jsonResponse(200, { errcode: 93000, errmsg: 'invalid webhook url' }), 'broken', null],
  ['dingtalk', jsonResponse(200, { errcode: 130101, errmsg: 'send too fast' }), 'retry', 600_000],
  ['dingtalk', jsonResponse(200, { errcode: 310000, errmsg: 'sign not match' }), 'broken', null],
  ['telegram', jsonResponse(429, { ok: false, parameters: { retry_after: 7 } }), 'retry', 7_000],
  ['telegram', jsonResponse(401, { ok: false, description: 'Unauthorized' }), 'broken', null],
  [
    'telegram',
    jsonResponse(400, { ok: false, description: 'Bad Request: chat not found' }),
    'broken',
    null,
  ],
  [
    'telegram',
    jsonResponse(400, { ok: false, description: 'Bad Request: other' }),
    'refused',
    null,
  ],
  ['slack', { status: 429, body: '', headers: { 'retry-after': '30' } }, 'retry', 30_000],
  ['slack', { status: 404, body: 'no_service' }, 'broken', null],
  ['slack', { status: 200, body: '<html>login</html>' }, 'refused', null],
  ['discord', jsonResponse(429, { retry_after: 1.5 }), 'retry', 1_500],
  ['discord', jsonResponse(404, { code: 10015, message: 'Unknown Webhook' }), 'broken', null],
  ['ntfy', jsonResponse(429, { error: 'limit reached' }), 'retry', null],
  ['ntfy', jsonResponse(403, { error: 'forbidden' }), 'broken', null],
  ['bark', jsonResponse(400, { code: 400, message: 'failed to get device token' }), 'broken', null],
  ['bark', jsonResponse(500, { code: 500 }), 'retry', null],
  ['webhook', { status: 410, body: '' }, 'broken', null],
  ['webhook', { status: 429, body: '', headers: { 'retry-after': '5' } }, 'retry', 5_000],
  ['webhook', { status: 404, body: '' }, 'retry', null],
  [
    'webhook',
    { status: 302, body: '', headers: { location: 'http://evil.example' } },
    'retry',
    null,
  ],
] as const)('%s: %j is %s', async (kind, response, expected, waitMs) => {
  services.respond(kind, () => response);
  const result = await send(kind, messageOf());
  services.respond(kind);
  expect(result.kind).toBe(expected);
  if (result.kind === 'retry') expect(result.waitMs).toBe(waitMs);
});

test('the outcome is unknown when a service responds with HTML, nothing or 10 MB', async () => {
  services.respond('feishu', () => ({ status: 200, body: '<html>maintenance</html>' }));
  expect(await send('feishu', messageOf())).toMatchObject({ kind: 'retry', isUnsure: true });
  services.respond('feishu', () => ({ status: 200, body: '' }));
  expect(await send('feishu', messageOf())).toMatchObject({ kind: 'retry', isUnsure: true });
  services.respond('feishu', () => ({ status: 200, body: 'x'.repeat(10 * 1024 * 1024) }));
  expect(await send('feishu', messageOf())).toMatchObject({ kind: 'retry', isUnsure: true });
  services.respond('feishu');
});

test('the outcome is unknown when a service does not respond within 15 s', async () => {
  const requestsBefore = services.received.length;
  services.respond('bark', () => null);
  const pendingResult = send('bark', messageOf());
  await until(async () => (services.received.length > requestsBefore ? true : null));
  clock.set(clock.now() + 16_000);
  expect(await pendingResult).toMatchObject({ kind: 'retry', isUnsure: true });
  services.respond('bark');
});

test('a group that became a supergroup has a new id', async () => {
  const parameters = { migrate_to_chat_id: -100_999 };
  services.respond('telegram', () => jsonResponse(400, { ok: false, parameters }));
  expect(await send('telegram', messageOf())).toEqual({ kind: 'moved', chat: '-100999' });
  services.respond('telegram');
});

test('a failure names the next action', async () => {
  services.respond('feishu', () => jsonResponse(200, { code: 19024, msg: 'Key Words Not Found' }));
  expect(await send('feishu', messageOf())).toMatchObject({
    reason:
      'Feishu 19024: Key Words Not Found. The bot requires a keyword. Add it to the ' +
      "subscription's name or remove it in the group.",
  });
  services.respond('feishu');
});
