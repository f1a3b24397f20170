import { expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const requestStory = (publicId: string) =>
  contract.sendRequest({ path: `/api/v1/stories/${publicId}` });

test.each([
  '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11',
  'a',
  'a'.repeat(128),
  encodeURIComponent('事'.repeat(128)),
  encodeURIComponent('🛰'.repeat(128)),
  '%00',
  '..%2Fitems',
  'latest',
  '__proto__',
])('returns 404 for an unknown id of up to 128 characters: %s', async (id) => {
  const response = await requestStory(id);
  expect([response.status, json(response).code]).toEqual([404, 'not_found']);
});

test.each(['a'.repeat(129), encodeURIComponent('事'.repeat(129)), 'a'.repeat(3_000)])(
  'refuses a longer id',
  async (id) => {
    const response = await requestStory(id);
    expect([response.status, json(response).code]).toEqual([400, 'invalid_request']);
    expect(json(response).detail).toContain('"publicId"');
  },
);

test('refuses an unknown parameter, also for an unknown story', async () => {
  expect((await requestStory('a?limit=5')).status).toBe(400);
});
