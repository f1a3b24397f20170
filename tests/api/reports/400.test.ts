import { expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const readRefusal = async (path: string) => {
  const response = await contract.sendRequest({ path });
  expect([path, response.status]).toEqual([path, 400]);
  return String(json(response).detail);
};

test.each([
  ['dailies', 181],
  ['weeklies', 61],
  ['monthlies', 61],
])('%s: refuses a limit of 0, of %i, and a limit that is no number', async (kind, tooMany) => {
  for (const limit of ['0', `${tooMany}`, 'x', '']) {
    expect(await readRefusal(`/api/v1/${kind}?limit=${limit}`)).toContain('"limit"');
  }
  expect(await readRefusal(`/api/v1/${kind}?page=1`)).toContain('"page"');
  expect(await readRefusal(`/api/v1/${kind}/latest?limit=1`)).toContain('"limit"');
});

test.each([
  ['dailies', 'date', ['2026-02-29', '2026-13-01', '2026-8-1', '20260801', '2026-08', 'x', '%00']],
  ['weeklies', 'week', ['2025-W53', '2026-W00', '2026-W54', '2026-w33', '2026W33', '2026-W3', 'x']],
  ['monthlies', 'month', ['2026-00', '2026-13', '2026-8', '2026-08-01', 'LATEST', 'x', '0']],
])('%s: refuses an invalid %s', async (kind, name, wrongKeys) => {
  for (const key of wrongKeys)
    expect(await readRefusal(`/api/v1/${kind}/${key}`)).toContain(`"${name}"`);
});
