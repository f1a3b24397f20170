import { describe, expect, test } from 'vitest';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();

const problem = (detail: string) => ({
  type: '/problems/invalid-request',
  title: 'Invalid request',
  status: 400,
  detail,
  instance: '/api/v1/capabilities/paid',
  code: 'invalid_request',
});

const tooBig = 'Too big: expected string to have <=200 characters';
const unwritable = 'must hold neither U+0000 nor half of a surrogate pair';
const noAmount = 'The field "max_charge" must be an amount in CNY as text, like "0.036".';

describe('a body that does not fit is told which field', () => {
  test.each([
    [{}, 'The field "text": Invalid input: expected string, received undefined.'],
    [{ text: 1 }, 'The field "text": Invalid input: expected string, received number.'],
    [{ text: 'x'.repeat(201) }, `The field "text": ${tooBig}.`],
    [{ text: 'x', colour: 'red' }, 'Unknown field: "colour".'],
    [{ text: 'x', a: 1, b: 2 }, 'Unknown fields: "a", "b".'],
    [{ text: 'refused' }, 'The field "text" is refused.'],
    [{ text: 'a\0b' }, `The field "text": ${unwritable}.`],
    [{ text: 'half \ud83e' }, `The field "text": ${unwritable}.`],
    [{ text: 'x', max_charge: 1 }, noAmount],
    [{ text: 'x', max_charge: '01' }, noAmount],
    [{ text: 'x', max_charge: '-1' }, noAmount],
    [[], 'The body must be a JSON object.'],
    [null, 'The body must be a JSON object.'],
    ['', 'The body is not JSON.'],
    ['{"text":', 'The body is not JSON.'],
  ])('%j', async (body, detail) => {
    const answer = await gateway.call('paid', body);
    expect(problemIn(answer)).toEqual(problem(detail));
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    // It is known who asks, so the answer says how much is left.
    expect(answer.headers.ratelimit).toMatch(/^"key";r=\d+;t=1$/);
  });
});

test('an Idempotency-Key that is none', async () => {
  const answer = await gateway.call('paid', { text: 'x' }, { idempotencyKey: 'two words' });
  const detail = 'The header Idempotency-Key must be 1 to 255 visible ASCII characters.';
  expect(problemIn(answer)).toEqual(problem(detail));
});

test('a query where none belongs, and one that is repeated', async () => {
  const headers = {
    authorization: `Bearer ${gateway.keys.sk}`,
    'content-type': 'application/json',
  };
  const path = '/api/v1/capabilities/paid?dry=1';
  const answer = await gateway.ask({ method: 'POST', path, headers, body: '{"text":"x"}' });
  expect(problemIn(answer)).toEqual(problem('Unknown field: "dry".'));
  const agents = '/api/v1/capabilities/agent?text=a&text=b';
  const twice = await gateway.read(agents, gateway.keys.ak);
  expect(problemIn(twice).detail).toBe('The query parameter "text" is given twice.');
});

test('nothing of all that was run, counted or charged', async () => {
  expect(gateway.paid.runs).toEqual([]);
  const account = JSON.parse((await gateway.read('/api/v1/account')).text);
  expect(account.limits.quotas.day.used).toBe(0);
  expect(account.free_quota.remaining).toBe('2');
});
