import { describe, expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { absentAddresses, addressesWithContent } from '../addresses.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const snapshot = json(await sendRequest(origin, { path: '/api/v1/selected/snapshot' }));
const allAddresses = [
  ...addressesWithContent,
  `/api/v1/selected/changes?cursor=${snapshot.cursor}`,
  '/problems/not-found',
];

/** Validates each response against the OpenAPI document, which does not describe pages. */
const requestWithEtag = (path: string, etags: string) => {
  const request = { path, headers: { 'if-none-match': etags } };
  return path.startsWith('/problems/')
    ? sendRequest(origin, request)
    : contract.sendRequest(request);
};

describe.each(allAddresses)('%s', (path) => {
  test('returns 304 without a body when the client has the content', async () => {
    const firstResponse = await sendRequest(origin, { path });
    const etag = firstResponse.headers.etag ?? '';
    expect(firstResponse.status).toBe(200);
    const matchingTags = [
      etag,
      etag.slice(2),
      '*',
      ` ${etag} `,
      `"a", ${etag}`,
      `W/"a,b" , ${etag.slice(2)}, "c"`,
      `rubbish, ${etag}`,
    ];
    for (const etags of matchingTags) {
      const repeatedResponse = await requestWithEtag(path, etags);
      expect([etags, repeatedResponse.status, repeatedResponse.bytes.length]).toEqual([
        etags,
        304,
        0,
      ]);
      expect(repeatedResponse.headers).toMatchObject({
        etag,
        'cache-control': firstResponse.headers['cache-control'],
        vary: 'Accept-Encoding',
      });
      expect(repeatedResponse.headers['content-type']).toBeUndefined();
    }
  });

  test('returns the whole content when the client has a different version', async () => {
    const { headers } = await sendRequest(origin, { path });
    const etag = headers.etag ?? '';
    for (const etags of ['"a"', 'W/"a"', '', `${etag.slice(0, -1)}x"`, '"a", *', 'rubbish']) {
      const { status } = await sendRequest(origin, { path, headers: { 'if-none-match': etags } });
      expect([etags, status]).toEqual([etags, 200]);
    }
  });

  test('has the same ETag for every content coding', async () => {
    const codings = ['identity', 'gzip', 'br', 'gzip, br;q=0.5', '*'];
    const responses = [];
    for (const coding of codings) {
      responses.push(await sendRequest(origin, { path, headers: { 'accept-encoding': coding } }));
    }
    expect(new Set(responses.map((response) => response.headers.etag)).size).toBe(1);
    for (const { headers } of responses) expect(headers.vary).toBe('Accept-Encoding');
  });
});

test.each(absentAddresses)('%s has no ETag, and "*" does not return 304', async (path) => {
  const response = await contract.sendRequest({ path, headers: { 'if-none-match': '*' } });
  expect(response.status).toBe(404);
  expect(response.headers.etag).toBeUndefined();
});
