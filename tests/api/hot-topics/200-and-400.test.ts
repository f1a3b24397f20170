import { expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);

test('returns an empty list before the first ranking', async () => {
  const response = await contract.sendRequest({ path: '/api/v1/hot-topics' });
  expect(json(response)).toEqual({ schemaVersion: 1, count: 0, rankedAt: null, items: [] });
});

test.each(['limit=5', 'x', 'mode=all'])('refuses the parameter %s', async (query) => {
  const response = await contract.sendRequest({ path: `/api/v1/hot-topics?${query}` });
  expect(response.status).toBe(400);
  expect(json(response).detail).toContain(`"${query.split('=')[0]}"`);
});
