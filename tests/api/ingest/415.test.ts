// Only uncompressed JSON in UTF-8 is accepted.
import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expect-problem.ts';
import { openPushEndpoint } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const endpoint = await openPushEndpoint(await openTestApp());
const batch = { source: 'agents', items: [{ url: 'https://halden.example/a', title: 'About a' }] };

test.each([
  ['plain text', { 'content-type': 'text/plain' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['JSON by another name', { 'content-type': 'application/jsonp' }],
  ['another charset', { 'content-type': 'application/json; charset=gbk' }],
  ['a content coding', { 'content-encoding': 'gzip' }],
])('refuses %s', async (_name, headers) => {
  expectProblem(await endpoint.push(batch, headers), {
    status: 415,
    code: 'unsupported_media_type',
    title: 'Unsupported media type',
    detail: 'Send application/json in UTF-8, without a content coding.',
  });
});

test('accepts a charset and any case in the media type', async () => {
  const headers = { 'content-type': 'Application/JSON; charset="UTF-8"' };
  expect((await endpoint.push(batch, headers)).status).toBe(200);
});
