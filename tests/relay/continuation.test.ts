// A broken stream continues with another attempt. The client receives one text, one end and one
// charge.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { readRelayReceipt } from '../../src/gateway/wallet/history/read-relay-receipt.ts';
import { chatRequest, eventsIn, openTestRelay, streamedText } from './test-relay.ts';

const WORDS = Array.from({ length: 60 }, (_word, index) => `word-${index} `);
const TEXT = WORDS.join('');

/** `no-prefill`: a request that ends with a message of the assistant is refused. */
type ServerFault = 'none' | 'disconnect' | 'stall' | 'malformed' | 'no-prefill';

/**
 * Always sends the same text of sixty words. `disconnect` and `stall` end it after forty words;
 * `malformed` sends an event that is not JSON after all words.
 */
async function openFixedServer(fault: ServerFault) {
  const bodies: { readonly messages: readonly { readonly role: string }[] }[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    bodies.push(body);
    if (fault === 'no-prefill' && body.messages.at(-1).role === 'assistant') {
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end('{"error":{"message":"No prefill.","type":"invalid_request_error"}}');
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const id = `chatcmpl-${fault}`;
    const event = (value: object) => `data: ${JSON.stringify({ id, model: fault, ...value })}\n\n`;
    const delta = (content: string, reason: string | null = null) =>
      event({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] });
    const wordCount = fault === 'disconnect' || fault === 'stall' ? 40 : 60;
    for (const word of WORDS.slice(0, wordCount)) res.write(delta(word));
    if (fault === 'stall') return;
    if (fault === 'malformed') res.write('data: {"choi\n\n');
    await new Promise((resolve) => setImmediate(resolve));
    if (fault === 'disconnect') return res.destroy();
    const usage = { prompt_tokens: 10, completion_tokens: 60, total_tokens: 70 };
    res.end(`${delta('', 'stop')}${event({ choices: [], usage })}data: [DONE]\n\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies, server };
}

async function openFaultyUpstreams(faults: readonly ServerFault[], route: object = {}) {
  const servers = await Promise.all(faults.map(openFixedServer));
  const relay = await openTestRelay({
    upstreams: servers.map(({ url }, priority) => {
      return { url, priority, models: { 'demo-chat': 'fixed' } };
    }),
    price: { perCall: '0.1', version: 1 },
    models: { 'demo-chat': route },
  });
  const readAllowance = async () => {
    const { world, db, keys } = relay;
    const money = await readAccountMoney(world, db, { accountId: keys.accountId, livemode: true });
    return money.allowance.remaining;
  };
  const close = () => {
    for (const { server } of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  return { relay, servers, readAllowance, close };
}

const stream = chatRequest('Hi', { stream: true, stream_options: { include_usage: true } });

test('a broken stream continues at the next upstream, with exact text and one charge', async () => {
  const { relay, servers, readAllowance, close } = await openFaultyUpstreams([
    'disconnect',
    'none',
  ]);
  const initial = await readAllowance();
  const response = await relay.chat(stream);
  const events = eventsIn(response.text);
  expect(streamedText(events)).toBe(TEXT);
  expect(events.at(-1)).toBe('[DONE]');
  expect(events.filter((event) => event === ': relay-continuation 1')).toHaveLength(1);
  const chunks = events.filter((event) => typeof event === 'object') as { id: string }[];
  expect(new Set(chunks.slice(0, -1).map(({ id }) => id))).toEqual(
    new Set(['chatcmpl-disconnect']),
  );
  expect(initial - (await readAllowance())).toBe(10_000_000n);
  expect(await relay.callOf(response)).toMatchObject({ state: 'captured', status: 200 });
  const roles = servers[1]?.bodies[0]?.messages.map(({ role }) => role);
  expect(roles).toEqual(['user', 'assistant', 'user']);
  close();
});

test('the receipt lists a broken connection as a reset', async () => {
  const { relay, close } = await openFaultyUpstreams(['disconnect', 'none']);
  const response = await relay.chat(stream);
  const { accountId } = relay.keys;
  const requestId = String(response.headers['x-request-id']);
  await relay.callOf(response);
  const receipt = await readRelayReceipt(relay.db, { accountId, livemode: true, requestId });
  expect(receipt?.attempts.map(({ failure }) => failure)).toEqual(['reset', 'reset', null]);
  close();
});

test('a stopping process continues no stream', async () => {
  const { relay, servers, close } = await openFaultyUpstreams(['stall', 'none']);
  const client = await relay.openStream(stream);
  await client.readBytes(100);
  const closing = relay.server.close();
  relay.clock.advance(1_000);
  servers[0]?.server.closeAllConnections();
  const events = eventsIn(await client.readAll());
  expect(events.at(-1)).toMatchObject({ error: { type: 'server_error' } });
  expect(servers[1]?.bodies).toEqual([]);
  await closing;
  close();
});

test('a stalled stream continues only at the next upstream', async () => {
  const { relay, servers, close } = await openFaultyUpstreams(['stall', 'none'], {
    stallMs: 10_000,
  });
  const client = await relay.openStream(stream);
  await client.readBytes(3_000);
  relay.clock.advance(10_000);
  const events = eventsIn(await client.readAll());
  expect([streamedText(events), events.at(-1)]).toEqual([TEXT, '[DONE]']);
  expect(servers.map(({ bodies }) => bodies.length)).toEqual([1, 1]);
  close();
});

test('an event that is not JSON is skipped', async () => {
  const { relay, close } = await openFaultyUpstreams(['malformed']);
  const events = eventsIn((await relay.chat(stream)).text);
  expect([streamedText(events), events.at(-1)]).toEqual([TEXT, '[DONE]']);
  close();
});

test('an upstream’s refusal of a prefill is not visible to the client', async () => {
  const { relay, servers, close } = await openFaultyUpstreams(['disconnect', 'no-prefill'], {
    prefill: true,
  });
  const events = eventsIn((await relay.chat(stream)).text);
  expect([streamedText(events), events.at(-1)]).toEqual([TEXT, '[DONE]']);
  expect(servers[1]?.bodies.map(({ messages }) => messages.at(-1)?.role)).toEqual([
    'assistant',
    'user',
  ]);
  close();
});

const schemaRequest = { ...stream, response_format: { type: 'json_schema' } };

test('a response with a JSON schema continues only by a prefill', async () => {
  const { relay, servers, close } = await openFaultyUpstreams(['disconnect', 'none'], {
    prefill: true,
  });
  const events = eventsIn((await relay.chat(schemaRequest)).text);
  expect([streamedText(events), events.at(-1)]).toEqual([TEXT, '[DONE]']);
  expect(servers[1]?.bodies.map(({ messages }) => messages.at(-1)?.role)).toEqual(['assistant']);
  close();
  const refusingUpstreams = await openFaultyUpstreams(['disconnect', 'no-prefill'], {
    prefill: true,
  });
  const lastEvent = eventsIn((await refusingUpstreams.relay.chat(schemaRequest)).text).at(-1);
  expect(lastEvent).toMatchObject({ error: { code: 'upstream_error' } });
  expect(refusingUpstreams.servers[1]?.bodies).toHaveLength(1);
  refusingUpstreams.close();
});

test.each([
  ['the client forbids it', stream, { 'x-relay-continue': 'never' }],
  ['the client requests probabilities of tokens', { ...stream, logprobs: true }, {}],
  ['the response is a JSON schema', schemaRequest, {}],
])('a broken stream ends with an error and no charge when %s', async (_what, body, headers) => {
  const { relay, servers, readAllowance, close } = await openFaultyUpstreams([
    'disconnect',
    'none',
  ]);
  const initial = await readAllowance();
  const response = await relay.chat(body, headers as Record<string, string>);
  const events = eventsIn(response.text);
  expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
  expect(events).not.toContain('[DONE]');
  await relay.calls();
  expect(await readAllowance()).toBe(initial);
  expect(servers[1]?.bodies).toHaveLength(0);
  close();
});

test('a broken stream of a key without continuation ends with an error and no charge', async () => {
  const { relay, servers, readAllowance, close } = await openFaultyUpstreams([
    'disconnect',
    'none',
  ]);
  const initial = await readAllowance();
  const key = await relay.newKey({ mayContinue: false });
  const { text } = await relay.chat(stream, { authorization: `Bearer ${key}` });
  expect(eventsIn(text).at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
  await relay.calls();
  expect(await readAllowance()).toBe(initial);
  expect(servers[1]?.bodies).toHaveLength(0);
  expect(streamedText(eventsIn((await relay.chat(stream)).text))).toBe(TEXT);
  close();
});
