// The fast path and Node's parser use the same request filter and return the same head and body. No
// response is older than the read model.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openClientResolver } from '../../src/kernel/client-address/client-address.ts';
import { atEnd } from '../support/at-end.ts';
import { openItemPublisher } from '../support/item-publisher.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';

const { db } = await openTestDatabase();
const { world, clock } = testWorld();
const publisher = await openItemPublisher(world, db);
for (let index = 0; index < 8; index += 1)
  await publisher.publish(`Item ${index}`, clock.now() - index * 60_000);
const publication = await openTestPublication(world, db);

type RawResponse = {
  readonly status: string;
  readonly head: readonly string[];
  readonly body: Buffer;
};

/** Opens one connection, which sends several requests one after the other. */
async function openConnection(url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  atEnd(() => socket.destroy());
  await once(socket, 'connect');
  return {
    sendRequest: async (
      path: string,
      headers: Record<string, string> = {},
    ): Promise<RawResponse> => {
      const lines = Object.entries({ Host: 'radar', ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
      return readResponse(socket);
    },
  };
}

async function readResponse(socket: Socket): Promise<RawResponse> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n');
    const [status = '', ...head] = bytes.subarray(0, Math.max(headEnd, 0)).toString().split('\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head.join('\n'))?.[1] ?? 0);
    if (headEnd !== -1 && bytes.length >= headEnd + 4 + length) {
      return { status, head: head.toSorted(), body: bytes.subarray(headEnd + 4) };
    }
    const [chunk] = await once(socket, 'data');
    bytes = Buffer.concat([bytes, chunk]);
  }
}

const withoutDate = ({ head, ...otherFields }: RawResponse) => ({
  ...otherFields,
  head: head.filter((line) => !line.startsWith('Date: ')),
});

const url = await openTestServer(world, publication);

test.each([
  ['identity', {}, (body: Buffer) => body],
  ['gzip', { 'Accept-Encoding': 'gzip' }, gunzipSync],
  ['br', { 'Accept-Encoding': 'gzip, br' }, brotliDecompressSync],
] as const)(
  'a page as %s has the same head and body on both paths',
  async (_coding, headers, decode) => {
    const { sendRequest } = await openConnection(url);
    const firstResponse = await sendRequest('/api/v1/items', headers);
    expect(firstResponse.status).toBe('HTTP/1.1 200 OK');
    expect(JSON.parse(decode(firstResponse.body).toString()).items).toHaveLength(8);
    for (let index = 0; index < 4; index += 1) {
      const repeatedResponse = await sendRequest('/api/v1/items', headers);
      expect(
        repeatedResponse.head.filter((line) => /^Date: \w{3}, .* GMT$/.test(line)),
      ).toHaveLength(1);
      expect(decode(repeatedResponse.body)).toEqual(decode(firstResponse.body));
      expect(
        withoutDate(repeatedResponse).head.filter((line) => !/^content-length/i.test(line)),
      ).toEqual(withoutDate(firstResponse).head.filter((line) => !/^content-length/i.test(line)));
    }
  },
);

test('returns 304 to a client with the ETag, and 200 after any change', async () => {
  const { sendRequest } = await openConnection(url);
  const firstResponse = await sendRequest('/api/v1/items');
  const etag = /etag: (\S+)/i.exec(firstResponse.head.join('\n'))?.[1] ?? '';
  const taggedRequest = { 'If-None-Match': etag };
  const [parsedResponse, fastResponse] = [
    await sendRequest('/api/v1/items', taggedRequest),
    await sendRequest('/api/v1/items', taggedRequest),
  ];
  expect(parsedResponse.status).toBe('HTTP/1.1 304 Not Modified');
  expect(withoutDate(fastResponse)).toEqual(withoutDate(parsedResponse));
  await publisher.publish('Just in', clock.now() + 1);
  await publication.catchUp();
  const changedResponse = await sendRequest('/api/v1/items', taggedRequest);
  expect(changedResponse.status).toBe('HTTP/1.1 200 OK');
  expect(JSON.parse(changedResponse.body.toString()).items[0].title).toBe('Just in');
  expect(withoutDate(await sendRequest('/api/v1/items', taggedRequest))).toEqual(
    withoutDate(changedResponse),
  );
});

test('the request filter counts repeated requests, and refuses those over the limit', async () => {
  const limits = { requestsPerSecond: 1, burst: 4 };
  const actors: string[] = [];
  const filterOptions = {
    clients: openClientResolver({ trustProxy: [] }),
    limits,
    blocked: { agents: [] },
    onActor: (actor: string) => actors.push(actor),
  };
  const { sendRequest } = await openConnection(
    await openTestServer(world, publication, filterOptions),
  );
  const actor = '6f1d3c52-53c1-4b0e-9a55-0f4f5d7c2f11';
  const headers = { 'User-Agent': `mirror/1 radar-actor/${actor}` };
  const statusLines: string[] = [];
  for (let index = 0; index < 6; index += 1)
    statusLines.push((await sendRequest('/api/v1/items', headers)).status);
  const ok = 'HTTP/1.1 200 OK';
  const rateLimited = 'HTTP/1.1 429 Too Many Requests';
  expect(statusLines).toEqual([ok, ok, ok, ok, rateLimited, rateLimited]);
  clock.advance(1_000);
  expect((await sendRequest('/api/v1/items', headers)).status).toBe(ok);
  expect(actors).toEqual(Array(5).fill(actor));
});
