// A batch has at most fifty items and two MiB. A larger body is refused during its transfer.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expect-problem.ts';
import { openPushEndpoint } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const app = await openTestApp();
const endpoint = await openPushEndpoint(app);
const MIB = 1024 * 1024;
const item = (index: number, content = '') => ({
  url: `https://halden.example/${index}`,
  title: `About ${index}`,
  content,
});
const items = (count: number, content = '') =>
  Array.from({ length: count }, (_, index) => item(index, content));
const problem = { status: 413, code: 'payload_too_large', title: 'Payload too large' };
const tooLarge = {
  ...problem,
  detail: 'A batch may have at most 2 MiB. Split it into several batches.',
};

test('accepts fifty items and refuses fifty-one', async () => {
  const tooManyItems = await endpoint.push({ source: 'agents', items: items(51) });
  expectProblem(tooManyItems, { ...problem, detail: 'A batch may have at most 50 items.' });
  expect((await endpoint.push({ source: 'agents', items: items(50) })).status).toBe(200);
});

test('accepts exactly two MiB and refuses one byte more', async () => {
  const bodyOfSize = (bytes: number) => {
    const batch = JSON.stringify({ source: 'agents', items: items(40, 'x'.repeat(50_000)) });
    return batch + ' '.repeat(bytes - batch.length);
  };
  expect((await endpoint.push(bodyOfSize(2 * MIB))).status).toBe(200);
  expectProblem(await endpoint.push(bodyOfSize(2 * MIB + 1)), tooLarge);
});

test('refuses a body without a declared length at the limit', async () => {
  const headers = { authorization: `Bearer ${endpoint.token}`, 'content-type': 'application/json' };
  const response = await new Promise<{ status: number; body: string; sentBytes: number }>(
    (resolve, reject) => {
      let sentBytes = 0;
      let hasResponse = false;
      const clientRequest = request(endpoint.url, { method: 'POST', headers }, (response) => {
        hasResponse = true;
        let body = '';
        response.setEncoding('utf8').on('data', (text) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body, sentBytes }));
        clientRequest.end();
      });
      clientRequest.on('error', reject);
      const chunk = ' '.repeat(64 * 1024);
      const sendMore = () => {
        if (hasResponse || sentBytes > 64 * MIB) return;
        sentBytes += chunk.length;
        if (clientRequest.write(chunk)) setImmediate(sendMore);
        else clientRequest.once('drain', sendMore);
      };
      sendMore();
    },
  );
  expect(response.status).toBe(413);
  expect(JSON.parse(response.body)).toMatchObject({ code: 'payload_too_large' });
  expect(response.sentBytes).toBeLessThan(32 * MIB);
});
