import { describe, expect, test } from 'vitest';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();

type FieldProblem = { readonly field: string; readonly message: string };

const problem = (detail: string, errors?: readonly FieldProblem[]) => ({
  type: '/problems/invalid-request',
  title: 'Invalid request',
  status: 400,
  detail,
  instance: '/api/v1/capabilities/paid',
  code: 'invalid_request',
  ...(errors && { errors }),
});

const invalidText = 'must contain neither U+0000 nor a lone surrogate';
const notAnAmount = 'must be an amount in CNY as text, like "0.036"';
const problemOf = (field: string, message: string) => [{ field, message }];

describe('names every invalid field of a body', () => {
  test.each<[unknown, readonly FieldProblem[]]>([
    [{}, problemOf('text', 'is required')],
    [{ text: 1 }, problemOf('text', 'must be text')],
    [{ text: '' }, problemOf('text', 'must not be empty')],
    [{ text: 'x'.repeat(201) }, problemOf('text', 'must have at most 200 characters')],
    [{ text: 'x', colour: 'red' }, problemOf('colour', 'is not known here')],
    [{ text: 'x', colour: null }, problemOf('colour', 'is not known here')],
    [{ text: null }, problemOf('text', 'is required')],
    [{ text: 'a\0b' }, problemOf('text', invalidText)],
    [{ text: 'half \ud83e' }, problemOf('text', invalidText)],
    [{ text: 'x', max_charge: 1 }, problemOf('max_charge', notAnAmount)],
    [{ text: 'x', max_charge: '01' }, problemOf('max_charge', notAnAmount)],
    [{ text: 'x', max_charge: '-1' }, problemOf('max_charge', notAnAmount)],
    [
      { does: 'nothing', seconds: 1.5, extra: 1, max_charge: 'x' },
      [
        { field: 'text', message: 'is required' },
        {
          field: 'does',
          message:
            'must be one of answer, find_nothing, fail, throw, fault, measure, wait, insufficient',
        },
        { field: 'seconds', message: 'must be a whole number' },
        { field: 'extra', message: 'is not known here' },
        { field: 'max_charge', message: notAnAmount },
      ],
    ],
  ])('%j', async (body, errors) => {
    const response = await gateway.call('paid', body);
    const { detail, ...otherFields } = problemIn(response);
    expect(otherFields).toMatchObject({ code: 'invalid_request', errors });
    for (const { field } of errors) expect(detail).toContain(`"${field}"`);
    expect(detail).not.toMatch(/expected|received|Invalid/);
  });

  test('treats a null optional field as absent', async () => {
    const body = { text: 'x', does: null, max_charge: null };
    const response = await gateway.call('free', body, { key: gateway.keys.skTest });
    expect(response.status).toBe(200);
  });
});

describe('names an invalid body', () => {
  test.each([
    [{ text: 'refused' }, 'The field "text" is refused.'],
    [[], 'The body must be a JSON object.'],
    [null, 'The body must be a JSON object.'],
    ['', 'The body is not JSON.'],
    ['{"text":', 'The body is not JSON.'],
  ])('%j', async (body, detail) => {
    const response = await gateway.call('paid', body);
    expect(problemIn(response)).toEqual(problem(detail));
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-store');
    // The key is authenticated, so the response has rate-limit headers.
    expect(response.headers.ratelimit).toMatch(/^"key";r=\d+;t=1, "burst";r=\d+;t=1$/);
  });
});

test.each([
  ['lists', '[', ']'],
  ['objects', '{"text":', '}'],
])('refuses deeply nested %s', async (_name, start, end) => {
  const body = `{"text":${start.repeat(5_000)}1${end.repeat(5_000)}}`;
  const response = await gateway.call('paid', body, { idempotencyKey: 'nested' });
  expect(problemIn(response)).toEqual(problem('The body is nested too deeply.'));
});

test.each([
  ['{"text":"x","max_charge":"0.01","max_charge":"9"}', 'max_charge'],
  ['{"text":"x","te\\u0078t":"y"}', 'text'],
  ['{"text":"x","does":[{"a":1},{"a":1,"b":2,"a":1}]}', 'does[1].a'],
])('refuses a member that is given twice: %s', async (body, field) => {
  const response = await gateway.call('paid', body, { idempotencyKey: 'twice' });
  const detail = `The field "${field}" is given twice.`;
  expect(problemIn(response)).toEqual(problem(detail, problemOf(field, 'is given twice')));
});

test.each([
  ['unknown fields', Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 1]))],
  ['invalid texts', Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, 'a\0']))],
])('names at most twenty of many %s', async (_name, body) => {
  const { detail, errors } = problemIn(await gateway.call('paid', body));
  expect(errors).toHaveLength(20);
  expect(String(detail).length).toBeLessThan(2_000);
});

test.each([
  ['members', `{${Array.from({ length: 5_001 }, (_, index) => `"f${index}":1`).join(',')}}`],
  ['entries', `{"text":[${'1,'.repeat(20_001)}1]}`],
])('refuses a body with too many %s', async (_name, body) => {
  const response = await gateway.call('paid', body, { idempotencyKey: 'many' });
  expect(problemIn(response)).toEqual(problem('The body has too many values.'));
});

test('names at most twenty of many deep texts', async () => {
  const texts = JSON.stringify(Array.from({ length: 9_000 }, () => '\0'));
  const body = `{"text":${'{"a":'.repeat(400)}${texts}${'}'.repeat(400)}}`;
  const { errors } = problemIn(await gateway.call('paid', body));
  expect(errors).toHaveLength(20);
});

test('refuses an invalid Idempotency-Key', async () => {
  const response = await gateway.call('paid', { text: 'x' }, { idempotencyKey: 'two words' });
  const detail = 'The header Idempotency-Key must be 1 to 255 visible ASCII characters.';
  expect(problemIn(response)).toEqual(problem(detail));
});

test('refuses an unexpected query and a repeated one', async () => {
  const headers = {
    authorization: `Bearer ${gateway.keys.sk}`,
    'content-type': 'application/json',
  };
  const path = '/api/v1/capabilities/paid?dry=1';
  const response = await gateway.sendRequest({
    method: 'POST',
    path,
    headers,
    body: '{"text":"x"}',
  });
  expect(problemIn(response)).toEqual(
    problem('Unknown query parameter: "dry".', problemOf('dry', 'is not known here')),
  );
  const agentCalls = '/api/v1/capabilities/agent?text=a&text=b';
  const repeatedParameter = await gateway.readPath(agentCalls, gateway.keys.ak);
  expect(problemIn(repeatedParameter).detail).toBe('The query parameter "text" is given twice.');
});

test('no refused request was run, counted or charged', async () => {
  expect(gateway.paid.runs).toEqual([]);
  const account = JSON.parse((await gateway.readPath('/api/v1/account')).text);
  expect(account.limits.quotas.day.used).toBe(0);
  expect(account.free_quota.remaining).toBe('2');
});
