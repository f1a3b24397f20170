import { expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);

test.each([
  ['/api/v1/dailies', 180],
  ['/api/v1/weeklies', 60],
  ['/api/v1/monthlies', 60],
])('%s: the index is empty before the first report', async (path, max) => {
  for (const query of ['', '?limit=1', `?limit=${max}`]) {
    const response = await contract.sendRequest({ path: `${path}${query}` });
    expect(json(response)).toEqual({ schemaVersion: 1, count: 0, items: [] });
  }
});
