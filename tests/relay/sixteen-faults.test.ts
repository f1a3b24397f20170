// The sixteen faults of Failover Bench in each dialect. The published configuration is used: two
// tries, one fallback, 10 s for the first token and between events, `continue: across`. The
// provider repeats one text, so a continuation always matches. Relay contract, 3.5.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { parseCny } from '../../src/kernel/money.ts';
import { json, type TestResponse } from '../support/http-request.ts';
import { until } from '../support/until.ts';
import { type FaultDialect, type InjectedFault, openFaultServer, TEXT } from './fault-server.ts';
import { openTestRelay, RETRY_PAUSE_MS } from './test-relay.ts';
import { finishWithoutAdvance } from './without-more-time.ts';

const kinds = {
  chat: 'openai-chat',
  messages: 'anthropic-messages',
  responses: 'openai-responses',
} as const;

const paths = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
} as const;

const turns = [{ role: 'user', content: 'Hi' }];
const bodies = {
  chat: { messages: turns, stream_options: { include_usage: true } },
  messages: { messages: turns, max_tokens: 200 },
  responses: { input: 'Hi' },
} as const;

async function openFaultyRelay(dialect: FaultDialect) {
  const primary = await openFaultServer(dialect, 'primary');
  const fallback = await openFaultServer(dialect, 'fallback');
  const upstreamKind = kinds[dialect];
  const pauses = { firstTokenMs: 10_000, stallMs: 10_000 };
  const relay = await openTestRelay({
    upstreams: [
      {
        kind: upstreamKind,
        url: primary.url,
        models: { 'demo-chat': 'primary' },
        publicName: 'first',
      },
      {
        kind: upstreamKind,
        url: fallback.url,
        models: { backup: 'fallback' },
        publicName: 'second',
      },
    ],
    price: { perCall: '0.001', version: 1 },
    models: {
      'demo-chat': {
        fallbacks: ['backup'],
        contextFallbacks: ['backup'],
        continue: 'across',
        ...pauses,
      },
    },
  });
  /**
   * Sends a call. By default, it starts after the circuit breakers and pauses of the previous test
   * have ended.
   */
  const sendCall = (afterMs = 301_000) => {
    relay.clock.advance(afterMs);
    return relay.send({
      method: 'POST',
      path: paths[dialect],
      headers: { authorization: `Bearer ${relay.keys.ak}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'demo-chat', stream: true, ...bodies[dialect] }),
    });
  };
  return { dialect, primary, fallback, relay, sendCall };
}

type StreamEventValue = Readonly<Record<string, unknown>>;

function valuesIn({ text }: TestResponse): StreamEventValue[] {
  return text
    .split('\n\n')
    .flatMap((block) => /^data: (\{.*\})$/m.exec(block)?.[1] ?? [])
    .map((json) => JSON.parse(json) as StreamEventValue);
}

type ChatChunk = { readonly choices?: { readonly delta?: { readonly content?: string } }[] };

/** The text of a stream, which must be one complete stream of its dialect. */
function wholeTextOf(dialect: FaultDialect, response: TestResponse): string {
  expect(response.status).toBe(200);
  const values = valuesIn(response);
  switch (dialect) {
    case 'chat':
      expect(response.text.endsWith('data: [DONE]\n\n')).toBe(true);
      expect(values.filter(({ usage }) => usage)).toHaveLength(1);
      return (values as ChatChunk[])
        .map(({ choices }) => choices?.[0]?.delta?.content ?? '')
        .join('');
    case 'messages': {
      const types = values.map(({ type }) => type).filter((type) => type !== 'content_block_delta');
      expect(types).toEqual([
        'message_start',
        'content_block_start',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]);
      return values
        .map(({ delta }) => (delta as { readonly text?: string } | undefined)?.text ?? '')
        .join('');
    }
    case 'responses': {
      expect(values.map((value) => value.sequence_number)).toEqual(values.map((_, index) => index));
      const lastEvent = values.at(-1) as {
        readonly type: string;
        readonly response: { readonly output: { readonly content: { readonly text: string }[] }[] };
      };
      expect(lastEvent.type).toBe('response.completed');
      const text = values.map(({ delta }) => delta ?? '').join('');
      expect(lastEvent.response.output.map(({ content }) => content[0]?.text)).toEqual([text]);
      return text;
    }
  }
}

describe.each(['chat', 'messages', 'responses'] as const)('%s', async (dialect) => {
  const faulty = await openFaultyRelay(dialect);
  const { primary, fallback, relay, sendCall } = faulty;
  const counts = () => [primary.bodies.length, fallback.bodies.length];
  const injectFaults = (...faults: InjectedFault[]) => {
    primary.inject(...faults);
    fallback.inject('none');
  };
  const bodiesAt = (count: number) =>
    until(async () => (primary.bodies.length >= count ? true : null));

  test.each([
    ['S02: 429 always', ['busy'], [2, 1]],
    ['S03: 500 once', ['broken', 'none'], [2, 0]],
    ['S04: 503 always', ['overloaded'], [2, 1]],
    ['S05: a reset before the headers', ['reset', 'none'], [2, 0]],
    ['S08 and S14: interrupted after 40 of 60 words, and no prefill', ['disconnect-at-40'], [2, 1]],
    ['S10: one event is not JSON', ['not-json'], [1, 0]],
    // Only in Responses can a client detect the missing end.
    ['S11: no end marker', ['no-end-marker'], dialect === 'responses' ? [2, 1] : [1, 0]],
    ['S12: the context is too long', ['prompt-too-long'], [1, 1]],
  ] as [string, InjectedFault[], number[]][])('%s', async (_name, faults, expected) => {
    injectFaults(...faults);
    const response = await finishWithoutAdvance(relay.clock, sendCall());
    expect(wholeTextOf(dialect, response)).toBe(TEXT);
    expect(counts()).toEqual(expected);
    expect(await relay.callOf(response)).toMatchObject({ state: 'captured', status: 200 });
  });

  test('S01: waits for Retry-After 2 and uses the same upstream', async () => {
    injectFaults('busy-2s', 'none');
    const pending = sendCall();
    await bodiesAt(1);
    const startedAt = relay.clock.now();
    await until(async () => {
      if (primary.bodies.length >= 2) return true;
      relay.clock.advance(300);
      return null;
    });
    // The clock advances by RETRY_PAUSE_MS after the failure, perhaps before `startedAt`.
    expect(relay.clock.now() - startedAt).toBeGreaterThanOrEqual(2_000 - RETRY_PAUSE_MS);
    expect(wholeTextOf(dialect, await pending)).toBe(TEXT);
    expect(counts()).toEqual([2, 0]);
  });

  test.each([
    ['S06: no response', 'no-response'],
    ['S07: no first token', 'no-token'],
    ['S09: silence after 20 words', 'silent-at-20'],
  ] as const)('%s: the fallback serves after 10 s', async (_name, fault) => {
    injectFaults(fault);
    const pending = sendCall();
    await bodiesAt(1);
    relay.clock.advance(10_000);
    expect(wholeTextOf(dialect, await finishWithoutAdvance(relay.clock, pending))).toBe(TEXT);
    expect(counts()).toEqual([1, 1]);
  });

  test('S13: a refusal by policy reaches the caller with the upstream’s message', async () => {
    injectFaults('filtered');
    const response = await sendCall();
    expect([response.status, json(response)]).toMatchObject([
      400,
      { error: { message: 'Refused by policy.' } },
    ]);
    expect(counts()).toEqual([1, 0]);
    expect(await relay.callOf(response)).toMatchObject({ state: 'released', charge: null });
  });

  test('S15: 60 s of 503: the fallback serves, then the first one again within 24 s', async () => {
    injectFaults('overloaded');
    for (let call = 0; call < 20; call += 1) {
      expect(wholeTextOf(dialect, await sendCall(call === 0 ? 301_000 : 3_000))).toBe(TEXT);
    }
    injectFaults('none');
    expect(wholeTextOf(dialect, await sendCall(20_001))).toBe(TEXT);
    expect(counts()).toEqual([1, 0]);
  });

  test('S16: the fallback’s response names its model and is charged once', async () => {
    injectFaults('overloaded');
    const response = await sendCall();
    const [first] = valuesIn(response);
    expect(JSON.stringify(first)).toContain('"model":"fallback"');
    expect(primary.bodies.length).toBeLessThanOrEqual(6);
    expect(await relay.callOf(response)).toMatchObject({
      state: 'captured',
      charge: { total: parseCny('0.001') },
      usage: {
        relay: {
          dialect,
          ended: 'completed',
          attempts: [
            { model: 'demo-chat', upstream: 'first', failure: 'busy', tries: 2 },
            { model: 'backup', upstream: 'second', failure: null, tries: 1 },
          ],
        },
      },
    });
  });
});

test('Anthropic’s client receives one response from two attempts', async () => {
  const { relay, primary, fallback } = await openFaultyRelay('messages');
  primary.inject('disconnect-at-40');
  fallback.inject('none');
  const client = new Anthropic({ baseURL: relay.origin, apiKey: relay.keys.ak, maxRetries: 0 });
  const message = await client.messages
    .stream({ model: 'demo-chat', max_tokens: 200, messages: [{ role: 'user', content: 'Hi' }] })
    .finalMessage();
  expect(message).toMatchObject({
    content: [{ type: 'text', text: TEXT }],
    stop_reason: 'end_turn',
  });
});

test('OpenAI’s client receives one response from two attempts', async () => {
  const { relay, primary, fallback } = await openFaultyRelay('responses');
  primary.inject('disconnect-at-40');
  fallback.inject('none');
  const client = new OpenAI({
    baseURL: `${relay.origin}/v1`,
    apiKey: relay.keys.ak,
    maxRetries: 0,
  });
  const stream = client.responses.stream({ model: 'demo-chat', input: 'Hi' });
  const response = await stream.finalResponse();
  expect([response.output_text, response.status]).toEqual([TEXT, 'completed']);
});
