import { expect, test } from 'vitest';
import { messagesDialect } from './messages.ts';

const upstreamOptions = { model: 'm', includeUsage: true };
const sent = (text: string) =>
  messagesDialect.upstreamBody(messagesDialect.readRequest(text), upstreamOptions);

const request = (content: string) =>
  `{ "model":"m", "max_tokens":5,"messages":[ {"role":"user","content":"Hi [\\"] "},` +
  `{"content" : ${content} ,"role":"assistant"}, {"role":"user","content":[ ]}] }`;

test('removes thinking blocks of the relay and preserves every other character', () => {
  const relayThinking = '{"type":"thinking","thinking":"Hm","signature" : "relay:interrupted"}';
  const providerThinking = '{"type":"thinking","thinking":"x","signature":"ErUB=="}';
  const text = '{"type":"text" , "text":"\\u00e9 1.0"}';
  expect(sent(request(`[${relayThinking}, ${providerThinking} ,${text}]`))).toBe(
    request(`[${providerThinking},${text}]`),
  );
});

test('leaves a request unchanged when the signature occurs only in a text', () => {
  const text = request('[ {"type":"text","text":"\\"relay:\\""} ,{"type":"text","text":"relay:"}]');
  expect(sent(text)).toBe(text);
});
