import { describe, expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import {
  absentAddresses,
  addressesWithContent,
  everyAddress,
  unknownAddresses,
} from '../addresses.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const cursor = json(await sendRequest(origin, { path: '/api/v1/selected/snapshot' })).cursor;
const changes = `/api/v1/selected/changes?cursor=${cursor}`;

/** The header fields without those that differ between equal requests. */
const stableHeaders = ({
  date: _date,
  'x-request-id': _id,
  ...otherHeaders
}: Record<string, unknown>) => otherHeaders;

/** A response may be recompressed at any time, so only uncompressed lengths are compared. */
const withComparableLength = (headers: Record<string, unknown>, coding: string) => {
  const { 'content-length': length, ...otherHeaders } = stableHeaders(headers);
  return { ...otherHeaders, length: coding === 'identity' ? length : typeof length };
};

describe('HEAD has the headers of GET and no body', () => {
  test.each([...addressesWithContent, changes])('%s', async (path) => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': coding };
      const getResponse = await sendRequest(origin, { path, headers });
      const headResponse = await contract.sendRequest({ path, headers, method: 'HEAD' });
      expect(headResponse.status).toBe(200);
      expect(headResponse.bytes.length).toBe(0);
      expect(withComparableLength(headResponse.headers, coding)).toEqual(
        withComparableLength(getResponse.headers, coding),
      );
      if (coding === 'identity')
        expect(headResponse.headers['content-length']).toBe(`${getResponse.bytes.length}`);
    }
    const { headers } = await sendRequest(origin, { path });
    const headersOfClient = { 'if-none-match': headers.etag ?? '' };
    expect(
      (await contract.sendRequest({ path, headers: headersOfClient, method: 'HEAD' })).status,
    ).toBe(304);
  });

  test.each([
    ...absentAddresses,
    ...unknownAddresses,
    '/api/v1/items?limit=0',
    '/api/v1/selected/changes',
  ])('also for an error: %s', async (path) => {
    const getResponse = await sendRequest(origin, { path });
    const headResponse = await contract.sendRequest({ path, method: 'HEAD' });
    expect(headResponse.status).toBe(getResponse.status);
    expect(headResponse.bytes.length).toBe(0);
    // Request ids have a fixed length, so the length of the body equals that of GET.
    expect(stableHeaders(headResponse.headers)).toEqual(stableHeaders(getResponse.headers));
  });
});

describe('OPTIONS permits every web page to read', () => {
  test.each([...everyAddress, ...unknownAddresses])('%s', async (path) => {
    const headers = {
      origin: 'https://reader.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    };
    const response = await sendRequest(origin, { path, method: 'OPTIONS', headers });
    expect([response.status, response.bytes.length]).toEqual([204, 0]);
    expect(response.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers':
        'Accept, If-None-Match, If-Modified-Since, User-Agent, Content-Type, Mcp-Protocol-Version',
      'access-control-max-age': '86400',
    });
  });
});

test.each([...everyAddress, ...unknownAddresses])(
  '%s permits every web page to read its response',
  async (path) => {
    const response = await sendRequest(origin, {
      path,
      headers: { origin: 'https://reader.example' },
    });
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id, Location',
      'x-content-type-options': 'nosniff',
    });
  },
);
