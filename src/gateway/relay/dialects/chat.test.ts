import { expect, test } from 'vitest';
import { chatDialect } from './chat.ts';

const { readRequest: readChatRequest, upstreamBody } = chatDialect;

const messages = [{ role: 'user', content: 'Hello' }];
const upstreamOptions = { model: 'theirs', includeUsage: true };
const sentBody = (body: object, upstream = upstreamOptions) =>
  upstreamBody(readChatRequest(JSON.stringify(body)), upstream);

test('passes unknown fields on, removes max_charge and sets the model’s name', () => {
  expect(
    JSON.parse(sentBody({ model: 'm', messages, max_charge: '1', top_k: 4, x: { y: [null] } })),
  ).toEqual({ model: 'theirs', messages, top_k: 4, x: { y: [null] } });
});

test('preserves every digit of numbers', () => {
  const text = '{"model":"m","messages":[{"role":"user"}],"seed":12345678901234567890,"t":1.0}';
  expect(upstreamBody(readChatRequest(text), upstreamOptions)).toBe(
    '{"model":"theirs","messages":[{"role":"user"}],"seed":12345678901234567890,"t":1.0}',
  );
});

test('adds include_usage to the client’s stream options', () => {
  const stream = { model: 'm', messages, stream: true };
  const streamOptions = (body: object, upstream = upstreamOptions) =>
    JSON.parse(sentBody(body, upstream)).stream_options;
  expect(streamOptions(stream)).toEqual({ include_usage: true });
  const options = { include_usage: false, include_obfuscation: false };
  expect(streamOptions({ ...stream, stream_options: options })).toEqual({
    include_usage: true,
    include_obfuscation: false,
  });
  expect(streamOptions(stream, { ...upstreamOptions, includeUsage: false })).toBeUndefined();
  expect(streamOptions({ model: 'm', messages })).toBeUndefined();
});

test('records whether the client requested the usage chunk', () => {
  const wantsUsage = (body: object) =>
    readChatRequest(JSON.stringify({ model: 'm', messages, stream: true, ...body })).wantsUsage;
  expect(wantsUsage({})).toBe(false);
  expect(wantsUsage({ stream_options: null })).toBe(false);
  expect(wantsUsage({ stream_options: { include_usage: false } })).toBe(false);
  expect(wantsUsage({ stream_options: { include_usage: true } })).toBe(true);
});

test.each([
  ['[]', 'The body must be a JSON object.'],
  ['{', 'The body is not JSON.'],
  ['{"messages":[]}', 'The field "model" must be the id of a model.'],
  ['{"model":"m\\u0000"}', 'The field "model" must not contain the character U+0000.'],
  ['{"model":"m","messages":[]}', 'The field "messages" must be a list of messages.'],
  [
    '{"model":"m","messages":[{"role":"user"},"b"]}',
    'The field "messages[1]" must be an object with a role.',
  ],
  [
    '{"model":"m","messages":[{"role":"user"}],"stream":"yes"}',
    'The field "stream" must be true or false.',
  ],
  [
    '{"model":"m","messages":[{"role":"user"}],"stream_options":1}',
    'The field "stream_options" must be an object.',
  ],
])('refuses %s', (text, message) => {
  expect(() => readChatRequest(text)).toThrow(message);
});
