// Simulates services that receive notifications, on loopback. Each accepts requests like the real
// one, and verifies signatures and sizes with its own code. A test can replace the responses of a
// service.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const serviceKinds = [
  'webhook',
  'feishu',
  'lark',
  'wecom',
  'dingtalk',
  'telegram',
  'slack',
  'discord',
  'ntfy',
  'bark',
] as const;

export type ServiceKind = (typeof serviceKinds)[number];

export type ReceivedMessage = {
  readonly kind: ServiceKind;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** Why the real service would refuse the request; empty for a valid request. */
  readonly problems: readonly string[];
};

/** Null: the connection stays open without a response. */
export type ServiceResponse = {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
} | null;

export type Services = {
  readonly origin: string;
  readonly received: ReceivedMessage[];
  /** Fields of a channel of that kind. */
  fieldsOf(kind: ServiceKind): Readonly<Record<string, string>>;
  /** Sets the next responses; absent: the normal ones of the service. */
  respond(kind: ServiceKind, response?: (message: ReceivedMessage) => ServiceResponse): void;
  close(): Promise<void>;
};

/** Secrets with which the services verify signatures. */
const serviceSecrets = {
  webhook: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  feishu: 'feishu-secret',
  dingtalk: 'SECdingtalk',
} as const;

const BOT_TOKEN = '123456:TEST-token-of-a-bot';

export async function openServices({
  host = '127.0.0.1',
  port = 0,
  now,
}: {
  readonly host?: string;
  readonly port?: number;
  readonly now: () => number;
}): Promise<Services> {
  const received: ReceivedMessage[] = [];
  const responses = new Map<ServiceKind, (message: ReceivedMessage) => ServiceResponse>();
  const handleRequest = async (req: IncomingMessage, res: ServerResponse) => {
    const path = req.url ?? '/';
    const kind = kindOf(path);
    const text = await readText(req);
    if (kind === null || req.method === 'GET' || req.method === 'HEAD') {
      res.writeHead(404).end();
      return;
    }
    const body = parseObject(text);
    const at = now();
    const messageFields = { kind, path, headers: req.headers, text, body, at };
    const message = { ...messageFields, problems: problemsOf(messageFields) };
    received.push(message);
    const response = (responses.get(kind) ?? defaultResponse)(message);
    if (response === null) return;
    const headers = { 'content-type': 'application/json', ...response.headers };
    res.writeHead(response.status, headers).end(response.body);
  };
  const server = createServer((req, res) => {
    handleRequest(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    fieldsOf: (kind) => fieldsAt(origin)[kind],
    respond: (kind, response) => {
      if (response === undefined) responses.delete(kind);
      else responses.set(kind, response);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const fieldsAt = (origin: string): Readonly<Record<ServiceKind, Record<string, string>>> => ({
  webhook: { url: `${origin}/webhook`, secret: serviceSecrets.webhook },
  feishu: { url: `${origin}/feishu/hook-token`, secret: serviceSecrets.feishu },
  lark: { url: `${origin}/lark/hook-token`, secret: serviceSecrets.feishu },
  wecom: { url: `${origin}/wecom/send?key=robot-key` },
  dingtalk: { url: `${origin}/dingtalk/send?access_token=abc`, secret: serviceSecrets.dingtalk },
  telegram: { url: origin, token: BOT_TOKEN, chat: '-1001' },
  slack: { url: `${origin}/slack/T0/B0/secret` },
  discord: { url: `${origin}/discord/webhooks/1/secret` },
  ntfy: { url: `${origin}/`, topic: 'radar-topic', token: 'tk_abc' },
  bark: { url: `${origin}/bark`, key: 'device-key' },
});

function kindOf(path: string): ServiceKind | null {
  const { pathname } = new URL(path, 'http://service.example');
  if (pathname === '/') return 'ntfy';
  if (pathname.startsWith('/bot')) return 'telegram';
  const firstSegment = pathname.split('/')[1];
  return serviceKinds.find((kind) => kind === firstSegment) ?? null;
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function defaultResponse({ kind, problems }: ReceivedMessage): ServiceResponse {
  const isValid = problems.length === 0;
  const json = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) });
  switch (kind) {
    case 'feishu':
    case 'lark':
      return json(200, isValid ? { code: 0, msg: 'success' } : { code: 19021, msg: problems[0] });
    case 'wecom':
    case 'dingtalk':
      return json(
        200,
        isValid ? { errcode: 0, errmsg: 'ok' } : { errcode: 40035, errmsg: problems[0] },
      );
    case 'telegram':
      return isValid
        ? json(200, { ok: true, result: { message_id: 42 } })
        : json(400, { ok: false, error_code: 400, description: problems[0] });
    case 'slack':
      return { status: isValid ? 200 : 400, body: isValid ? 'ok' : 'invalid_blocks' };
    case 'discord':
      return isValid ? json(200, { id: '77' }) : json(400, { code: 50035, message: problems[0] });
    case 'bark':
      return json(isValid ? 200 : 500, {
        code: isValid ? 200 : 500,
        message: problems[0] ?? 'success',
      });
    default:
      return json(isValid ? 200 : 400, {});
  }
}

type UncheckedMessage = Omit<ReceivedMessage, 'problems'>;

function problemsOf(message: UncheckedMessage): readonly string[] {
  const { headers, text } = message;
  const isJson = headers['content-type'] === 'application/json; charset=utf-8';
  return [
    ...(isJson ? [] : ['content-type']),
    ...problemFinders[message.kind](message, Buffer.byteLength(text)),
  ];
}

const objectOf = (body: Readonly<Record<string, unknown>>, name: string) =>
  (body[name] ?? {}) as Readonly<Record<string, unknown>>;
const problemUnless = (isValid: boolean, problem: string) => (isValid ? [] : [problem]);
const bytesOf = (text: string): number => Buffer.byteLength(text);
const lengthOf = (text: string): number => text.length;
const isText = (value: unknown, max: number, measure = bytesOf) =>
  typeof value === 'string' && value !== '' && measure(value) <= max;

type ProblemFinder = (message: UncheckedMessage, bytes: number) => readonly string[];

const findFeishuProblems: ProblemFinder = ({ body, at }, bytes) => {
  const timestamp = String(body.timestamp);
  // Feishu's documentation: the signed text is empty, and the key consists of timestamp and secret.
  const expected = createHmac('sha256', [timestamp, serviceSecrets.feishu].join('\n'))
    .update(Buffer.alloc(0))
    .digest('base64');
  return [
    ...problemUnless(body.sign === expected, 'sign match fail'),
    ...problemUnless(
      Math.abs(Number(timestamp) - at / 1000) < 3600,
      'timestamp is not within one hour',
    ),
    ...problemUnless(body.msg_type === 'interactive', 'msg_type'),
    ...problemUnless(bytes <= 20 * 1024, 'request body too large'),
  ];
};

const problemFinders: Readonly<Record<ServiceKind, ProblemFinder>> = {
  webhook: ({ headers, text, at }, bytes) => {
    const id = String(headers['webhook-id']);
    const timestamp = String(headers['webhook-timestamp']);
    const key = Buffer.from(serviceSecrets.webhook.slice('whsec_'.length), 'base64');
    const hmac = createHmac('sha256', key).update([id, timestamp, text].join('.'));
    const signatures = String(headers['webhook-signature']).split(' ');
    return [
      ...problemUnless(signatures.includes(`v1,${hmac.digest('base64')}`), 'signature'),
      ...problemUnless(Math.abs(Number(timestamp) - at / 1000) < 300, 'timestamp'),
      ...problemUnless(bytes <= 256 * 1024, 'too large'),
    ];
  },
  feishu: findFeishuProblems,
  lark: findFeishuProblems,
  wecom: ({ body }) =>
    problemUnless(isText(objectOf(body, 'markdown').content, 4096), 'markdown.content'),
  dingtalk: ({ path, body, at }, bytes) => {
    const { searchParams } = new URL(path, 'http://service.example');
    const timestamp = searchParams.get('timestamp') ?? '';
    const hmac = createHmac('sha256', serviceSecrets.dingtalk);
    hmac.update([timestamp, serviceSecrets.dingtalk].join('\n'));
    return [
      ...problemUnless(searchParams.get('sign') === hmac.digest('base64'), 'sign not match'),
      ...problemUnless(Math.abs(Number(timestamp) - at) < 3_600_000, 'timestamp invalid'),
      ...problemUnless(isText(objectOf(body, 'markdown').text, 20_000), 'markdown.text'),
      ...problemUnless(objectOf(body, 'at').isAtAll === false, 'at'),
      ...problemUnless(bytes <= 20_000, 'too large'),
    ];
  },
  telegram: ({ path, body }) => [
    ...problemUnless(
      /^\/bot123456:TEST-token-of-a-bot\/(sendMessage|editMessageText)$/.test(path),
      'path',
    ),
    ...problemUnless(body.chat_id === '-1001', 'chat not found'),
    ...problemUnless(body.parse_mode === 'HTML', 'parse_mode'),
    ...problemUnless(isText(body.text, 4096, visibleLength), 'message is too long'),
    ...problemUnless(isValidTelegramHtml(String(body.text)), "can't parse entities"),
  ],
  slack: ({ body }) => {
    const blocks = (body.blocks ?? []) as readonly { readonly text?: { readonly text?: string } }[];
    const isSized =
      blocks.length <= 50 && blocks.every(({ text }) => isText(text?.text, 3000, lengthOf));
    return [
      ...problemUnless(isSized && blocks.length > 0, 'invalid_blocks'),
      ...problemUnless(isText(body.text, 40_000), 'no_text'),
    ];
  },
  discord: ({ body }) => {
    const embeds = (body.embeds ?? []) as readonly Record<string, string>[];
    const characters = embeds.reduce(
      (sum, embed) => sum + `${embed.title}${embed.description}`.length,
      0,
    );
    const mentionTypes = objectOf(body, 'allowed_mentions').parse;
    return [
      ...problemUnless(isText(body.content, 2000, lengthOf), 'content'),
      ...problemUnless(embeds.length <= 10 && characters <= 6000, 'embeds'),
      ...problemUnless(
        Array.isArray(mentionTypes) && mentionTypes.length === 0,
        'allowed_mentions',
      ),
    ];
  },
  ntfy: ({ headers, body }) => [
    ...problemUnless(headers.authorization === 'Bearer tk_abc', 'unauthorized'),
    ...problemUnless(body.topic === 'radar-topic', 'topic'),
    ...problemUnless(isText(body.message, 4096), 'message'),
  ],
  bark: ({ path, body }, bytes) => [
    ...problemUnless(path === '/bark/push' && body.device_key === 'device-key', 'device key'),
    ...problemUnless(bytes <= 4096, 'too large for APNs'),
  ],
};

const visibleLength = (text: string) =>
  text.replace(/<[^>]+>/g, '').replace(/&(amp|lt|gt|quot);/g, 'x').length;

/** Only permitted tags, each closed, and no unescaped special character. */
function isValidTelegramHtml(text: string): boolean {
  const openTags: string[] = [];
  for (const [tag] of text.matchAll(/<[^>]*>?/g)) {
    const [, slash, name = ''] = /^<(\/?)(b|a)(?: href="[^"<>]*")?>$/.exec(tag) ?? [];
    if (name === '') return false;
    if (slash === '/') {
      if (openTags.pop() !== name) return false;
    } else openTags.push(name);
  }
  return openTags.length === 0 && !/&(?!(amp|lt|gt|quot);)/.test(text);
}
