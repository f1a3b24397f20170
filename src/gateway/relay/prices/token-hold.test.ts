// The bounds and the hold of a request. Relay contract, 2.3.
import { expect, test } from 'vitest';
import { chatDialect } from '../dialects/chat.ts';
import { messagesDialect } from '../dialects/messages.ts';
import { responsesDialect } from '../dialects/responses.ts';
import { openRoutes, relaySchema } from '../relay-config.ts';
import { openInputRatios } from './input-ratio.ts';
import { isMeasurable, priceCall } from './price-call.ts';
import type { TokenClass } from './token-classes.ts';

const figures = { mediaTokens: 1_000, pageTokens: 300, audioTokens: 20 };
const { models } = relaySchema.parse({ models: { m: figures, narrow: { maxInput: 50 } } });
const routeOf = openRoutes(models);
const price = (name: TokenClass, microFen: bigint) => {
  return { class: name, from: 0, variant: '', microFen };
};
const prices = [
  price('input', 1_000_000n),
  price('input_audio', 40_000_000n),
  price('input_image', 5_000_000n),
  price('cache_write_long', 2_000_000n),
];

function priceOf(
  body: object,
  dialect: typeof chatDialect | typeof messagesDialect = chatDialect,
  model = 'm',
) {
  const request = dialect.readRequest(JSON.stringify({ model, ...body }));
  const call = priceCall({
    dialect,
    request,
    route: routeOf(model),
    list: { version: 2, models: new Map([[model, prices]]) },
    perResponse: null,
    ratios: openInputRatios(),
  });
  if (call?.kind !== 'per_token') throw new Error('a price by token was expected');
  return { ...call, bytes: Buffer.byteLength(request.text) };
}

const chat = (content: unknown) => ({ messages: [{ role: 'user', content }], max_tokens: 1 });
const sound = {
  type: 'input_audio',
  input_audio: { data: Buffer.alloc(2_500).toString('base64'), format: 'mp3' },
};
const document = { type: 'input_file', file_url: 'http://a/b.pdf' };
const image = { type: 'image_url', image_url: { url: 'http://a/b.png' } };

test.each([
  ['an image', chat([image]), chatDialect, 1_000],
  ['two images', chat([image, image]), chatDialect, 2_000],
  ['a hundred pages', { input: [{ role: 'user', content: [document] }] }, responsesDialect, 30_000],
  ['three seconds of sound', chat([sound]), chatDialect, 60],
])('the input bound includes the route’s token figure for %s', (_name, body, dialect, tokens) => {
  const { bounds, textBytes } = priceOf(body, dialect);
  expect(bounds.inputTokens).toBe(Math.ceil(textBytes * 0.75) + 8 + tokens);
});

test('the input bound is at most the maximum input of the model', () => {
  expect(priceOf(chat([image]), chatDialect, 'narrow').bounds.inputTokens).toBe(50);
});

test('the hold uses the prices of the classes that can occur in the request', () => {
  const costPerToken = ({ amount, bounds }: ReturnType<typeof priceOf>) =>
    Number(amount) / bounds.inputTokens;
  expect(costPerToken(priceOf(chat('Hi')))).toBe(1);
  expect(costPerToken(priceOf(chat([image])))).toBe(5);
  expect(costPerToken(priceOf(chat([sound])))).toBe(40);
  const cachedText = { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } };
  expect(costPerToken(priceOf(chat([cachedText]), messagesDialect))).toBe(2);
});

const encodedText = Buffer.alloc(30_000, 'secret').toString('base64');
const hiddenMedia = { type: 'image', source: { type: 'base64', data: encodedText } };

test.each([
  ['in a turn', chat(encodedText), chatDialect],
  [
    'in a schema',
    { ...chat('Hi'), tools: [{ input_schema: { examples: [hiddenMedia] } }] },
    chatDialect,
  ],
  [
    'in the arguments of a tool',
    chat([{ type: 'tool_use', id: 't', name: 'n', input: { hidden: hiddenMedia } }]),
    messagesDialect,
  ],
])('text that looks like media is held as text: %s', (_name, body, dialect) => {
  const { bytes, textBytes } = priceOf(body, dialect);
  expect(textBytes).toBe(bytes);
});

test('the tokens per byte are measured only with requests without media', () => {
  expect(
    [chat('Hi'), chat([image]), chat([sound])].map((body) => isMeasurable(priceOf(body))),
  ).toEqual([true, false, false]);
});
