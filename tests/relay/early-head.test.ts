// A stream without a visible event for 15 s. The relay sends the head and then regular comments.
// Later failures become events of the dialect, and the call is free. Relay contract, 3.1.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { chatRequest, eventsIn, openTestRelay, streamedText } from './test-relay.ts';

const HEAD_MS = 15_000;
const COMMENT_MS = 10_000;

const waitingResponses: ServerResponse[] = [];
const upstream = createServer((req, res) => {
  req.resume().on('end', () => waitingResponses.push(res));
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
afterAll(() => {
  upstream.close();
  upstream.closeAllConnections();
});
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
const relay = await openTestRelay({
  upstreams: (['openai-chat', 'anthropic-messages', 'openai-responses'] as const).map((kind) => {
    return { kind, url, models: { 'demo-chat': 'slow' } };
  }),
  price: { perCall: '0.01', version: 1 },
});
const nextRequest = () => until(async () => waitingResponses.shift() ?? null);

const bodies = {
  'chat/completions': chatRequest('Hi', { stream: true }),
  messages: chatRequest('Hi', { stream: true, max_tokens: 9 }),
  responses: { model: 'demo-chat', input: 'Hi', stream: true },
} as const;

/** Sends a stream's request and lets `ms` pass before its upstream responds. */
async function sendSlowRequest(path: keyof typeof bodies, ms: number) {
  const response = relay.send({
    method: 'POST',
    path: `/relay/v1/${path}`,
    headers: { authorization: `Bearer ${relay.keys.ak}`, 'content-type': 'application/json' },
    body: JSON.stringify(bodies[path]),
  });
  const upstreamResponse = await nextRequest();
  relay.clock.advance(ms);
  return { response, upstreamResponse };
}

test('sends the head after 15 s, a comment every 10 s, and then the stream', async () => {
  const stream = relay.openStream(bodies['chat/completions']);
  const upstreamResponse = await nextRequest();
  relay.clock.advance(HEAD_MS);
  const client = await stream;
  const comment = ': waiting\n\n';
  expect([client.status, await client.readBytes(comment.length)]).toEqual([200, comment]);
  relay.clock.advance(COMMENT_MS);
  expect(await client.readBytes(2 * comment.length)).toBe(comment.repeat(2));
  upstreamResponse.writeHead(200, { 'content-type': 'text/event-stream' });
  upstreamResponse.end(
    'data: {"choices":[{"index":0,"delta":{"content":"Late"},"finish_reason":"stop"}]}\n\n' +
      'data: [DONE]\n\n',
  );
  const events = eventsIn(await client.readAll());
  expect([events.slice(0, 2), events.at(-1)]).toEqual([[': waiting', ': waiting'], '[DONE]']);
  expect(streamedText(events)).toBe('Late');
  expect(await relay.callOf(client)).toMatchObject({ state: 'captured', status: 200 });
});

test('a stream that begins before 15 s has no comment', async () => {
  const { response, upstreamResponse } = await sendSlowRequest('chat/completions', HEAD_MS - 1);
  upstreamResponse.writeHead(200, { 'content-type': 'text/event-stream' });
  upstreamResponse.end('data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n');
  expect((await response).text).not.toContain(': waiting');
});

test.each([
  ['chat/completions', 500, '"code":"upstream_error"'],
  ['messages', 500, 'event: error\n'],
  ['responses', 500, '"type":"response.failed"'],
  ['chat/completions', 400, '"message":"No such voice."'],
  ['messages', 400, '"message":"No such voice."'],
  ['responses', 400, '"message":"No such voice."'],
] as const)(
  '%s: a failure with %i after the head becomes an event, and the call is free',
  async (path, status, part) => {
    relay.clock.advance(61_000);
    const { response, upstreamResponse } = await sendSlowRequest(path, HEAD_MS);
    const error = JSON.stringify({ error: { message: 'No such voice.', type: 'invalid' } });
    const refuse = (res: ServerResponse) => res.writeHead(status).end(error);
    refuse(upstreamResponse);
    if (status === 500) refuse(await nextRequest());
    const clientResponse = await response;
    expect([clientResponse.status, clientResponse.text]).toEqual([
      200,
      expect.stringContaining(part),
    ]);
    expect(clientResponse.text.startsWith(': waiting\n\n')).toBe(true);
    expect(clientResponse.text).not.toContain('[DONE]');
    expect(await relay.callOf(clientResponse)).toMatchObject({ state: 'released', charge: null });
  },
);
