import { expect, test } from 'vitest';
import { firstDialect, reduceDialect, strictSchema } from './chat-request.ts';
import { parseJsonReply } from './parse-json-reply.ts';
import { parseDurationMs, resetDelayMs } from './rate-headers.ts';
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
])('reports why a reply is unusable (%#)', (text, problem) => {
  expect(parseJsonReply(text)).toEqual({ kind: 'wrong', problem });
});

test('reads the delay until an exhausted limit resets', () => {
  const headersAt = (remainingRequests: string, reset: string) => ({
    'x-ratelimit-remaining-requests': remainingRequests,
    'x-ratelimit-reset-requests': reset,
  });
  expect([resetDelayMs(headersAt('0', '1m30s')), resetDelayMs(headersAt('1', '1m30s'))]).toEqual([
    90_000, 0,
  ]);
  expect(resetDelayMs({ ...headersAt('0', '1s'), 'x-ratelimit-remaining-tokens': '0' })).toBe(
    1_000,
  );
  expect(['20ms', '1.5s', '6m0s', '2', 'x', ''].map(parseDurationMs)).toEqual([
    20, 1_500, 360_000, 2_000, 0, 0,
  ]);
});

test('rounds money up to a whole micro-fen', () => {
  const price = { input: 250_000_000n, output: 1_000_000_000n };
  expect(costOf({ price }, { prompt: 1_000_000, answer: 0 })).toBe(250_000_000n);
  expect(costOf({ price: { input: 1n, output: 0n } }, { prompt: 1, answer: 0 })).toBe(1n);
  expect(costOf({}, { prompt: 1_000, answer: 1_000 })).toBe(0n);
});

test('estimates a token for four letters, and for each ideograph', () => {
  expect([estimateTokens('abcdefgh'), estimateTokens('模型发布'), estimateTokens('')]).toEqual([
    2, 4, 0,
  ]);
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
  const reduce = (refusal: string) => reduceDialect(firstDialect, refusal);
  expect(reduce('Unsupported parameter: max_tokens')?.limit).toBe('max_completion_tokens');
  expect(reduce('temperature must be 1')?.hasTemperature).toBe(false);
  expect(reduce('response_format is wrong')?.format).toBe('json_schema');
  expect(reduce('context length exceeded')).toBeNull();
  const minimalDialect = { ...firstDialect, format: 'text' as const };
  expect(reduceDialect(minimalDialect, 'unknown field')).toBeNull();
});
