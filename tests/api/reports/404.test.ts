import { expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';
import { absentAddresses } from '../addresses.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const otherPaths = [
  '/api/v1/weeklies/2026-W53',
  '/api/v1/dailies/2024-02-29',
  '/api/v1/monthlies/1999-12',
];

test.each([...absentAddresses, ...otherPaths])(
  '%s: returns 404 for a valid key without a report',
  async (path) => {
    const response = await contract.sendRequest({ path });
    expect([response.status, json(response).code]).toEqual([404, 'not_found']);
    expect(response.headers['cache-control']).toBe('no-store');
  },
);

test.each([
  '/api/v1/dailies/',
  '/api/v1/dailies/2026-08-21/',
  '/api/v1/Dailies',
  '/api/v1/dailies/a/b',
])('%s returns 404', async (path) => {
  expect((await contract.sendRequest({ path })).status).toBe(404);
});
