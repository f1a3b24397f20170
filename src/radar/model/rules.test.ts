import { describe, expect, test } from 'vitest';
import { openSemaphore } from '../../kernel/concurrency/semaphore.ts';
import { firstDialect, lowerDialect, strictSchema } from './chat-request.ts';
import { openCircuitBreaker } from './circuit-breaker.ts';
import { parseJsonReply } from './parse-json-reply.ts';
import { exhaustedMs, retryAfterMs, spanMs } from './rate-headers.ts';
import { costOf, estimateTokens } from './request-cost.ts';

test.each([
  ['{"a": 1}', { a: 1 }],
  ['  {"a": "}"}\n', { a: '}' }],
  ['[1]', [1]],
  ['Here: {"a": {"b": "\\"}"}} and {more}', { a: { b: '"}' } }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['Look:\n```\n{"a": 1}\n```\nDone', { a: 1 }],
  ['<think>maybe {"a": 2}</think>{"a": 1}', { a: 1 }],
])('finds JSON in %j', (text, value) => {
  expect(parseJsonReply(text)).toEqual({ kind: 'json', value });
});

test.each([
  ['', 'it is empty'],
  ['"text"', 'it is not a JSON object'],
  ['no json at all', 'it is not a JSON object'],
  ['{"a": 1', 'it is not valid JSON'],
  ['{"a": }', 'it is not valid JSON'],
  ['['.repeat(100_000), 'it is nested too deeply'],
  [`{"a": "${'x'.repeat(200_001)}"}`, 'it is far too long'],
])('reports an unusable reply (%#)', (text, what) => {
  expect(parseJsonReply(text)).toEqual({ kind: 'wrong', what });
});

test.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': 'Sat, 22 Aug 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Sat, 22 Aug 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': '999999999' }, 3_600_000],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after': 'soon' }, null],
  [{}, null],
])('waits for %j', (headers, ms) => {
  const known = Object.fromEntries(Object.entries(headers));
  expect(retryAfterMs(known, Date.parse('2026-08-22T12:00:00Z'))).toBe(ms);
});

test('waits for the exhausted limit', () => {
  const at = (left: string, reset: string) => ({
    'x-ratelimit-remaining-requests': left,
    'x-ratelimit-reset-requests': reset,
  });
  expect([exhaustedMs(at('0', '1m30s')), exhaustedMs(at('1', '1m30s'))]).toEqual([90_000, 0]);
  expect(exhaustedMs({ ...at('0', '1s'), 'x-ratelimit-remaining-tokens': '0' })).toBe(1_000);
  expect(['20ms', '1.5s', '6m0s', '2', 'x', ''].map(spanMs)).toEqual([
    20, 1_500, 360_000, 2_000, 0, 0,
  ]);
});

test('rounds money up to a whole micro-fen', () => {
  const price = { input: 250_000_000n, output: 1_000_000_000n };
  expect(costOf({ price }, { prompt: 1_000_000, answer: 0 })).toBe(250_000_000n);
  expect(costOf({ price: { input: 1n, output: 0n } }, { prompt: 1, answer: 0 })).toBe(1n);
  expect(costOf({}, { prompt: 1_000, answer: 1_000 })).toBe(0n);
  expect([estimateTokens('abcdefgh'), estimateTokens('模型发布'), estimateTokens('')]).toEqual([
    2, 4, 0,
  ]);
});

describe('the circuit breaker', () => {
  test('opens after five consecutive failures, longer each time, closes after a success', () => {
    const breaker = openCircuitBreaker();
    for (let n = 0; n < 4; n += 1) breaker.failed(0, 'down');
    expect(breaker.refusal(0)).toBeNull();
    breaker.failed(0, 'down');
    expect([breaker.refusal(29_999), breaker.refusal(30_000)]).toEqual(['down', null]);
    breaker.failed(30_000, 'still');
    expect([breaker.refusal(89_999), breaker.refusal(90_000)]).toEqual(['still', null]);
    breaker.succeeded();
    breaker.failed(90_000, 'once');
    expect(breaker.refusal(90_000)).toBeNull();
  });

  test('opens at once for a permanent error and tolerates a clock that is set back', () => {
    const breaker = openCircuitBreaker();
    breaker.failed(5_000_000, 'wrong key', true);
    expect(breaker.refusal(5_000_000)).toBe('wrong key');
    expect(breaker.refusal(0)).toBeNull();
  });
});

test('the semaphore admits a fixed number in order and removes aborted callers', async () => {
  const gate = openSemaphore(1);
  const inside: string[] = [];
  const leaveFirst = await gate.acquire();
  const gone = new AbortController();
  const given = gate.acquire(gone.signal).catch(() => 'gone');
  const second = gate.acquire().then((leave) => {
    inside.push('second');
    return leave;
  });
  const third = gate.acquire().then(() => inside.push('third'));
  gone.abort(new Error('gone'));
  expect(await given).toBe('gone');
  leaveFirst();
  leaveFirst();
  const leaveSecond = await second;
  expect(inside).toEqual(['second']);
  leaveSecond();
  await third;
  expect(inside).toEqual(['second', 'third']);
});

test('a schema is strict when every member is required, without text bounds', () => {
  const text = { type: 'string', maxLength: 9 };
  const object = { type: 'object', properties: { text }, additionalProperties: false };
  expect(strictSchema({ ...object, required: ['text'] })).toEqual({
    type: 'object',
    properties: { text: { type: 'string' } },
    additionalProperties: false,
    required: ['text'],
  });
  expect(strictSchema({ ...object, required: [] })).toBeNull();
  expect(strictSchema({ type: 'array', items: { type: 'object', properties: {} } })).toBeNull();
});

test('reduces a dialect by the field that a refusal names', () => {
  const lower = (refusal: string) => lowerDialect(firstDialect, refusal);
  expect(lower('Unsupported parameter: max_tokens')?.limit).toBe('max_completion_tokens');
  expect(lower('temperature must be 1')?.hasTemperature).toBe(false);
  expect(lower('response_format is wrong')?.format).toBe('json_schema');
  expect(lower('context length exceeded')).toBeNull();
  const least = { ...firstDialect, format: 'text' as const };
  expect(lowerDialect(least, 'unknown field')).toBeNull();
});
