// The same bytes, split into any chunks, receive the same responses from the fast path as from
// `node:http` alone. Bytes after a request are never parsed as a different request.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { type Random, seededRandom } from '../../src/kernel/crypto/random.ts';
import { openFastPath } from '../../src/radar/api/responses/fast-path.ts';
import type { ParsedRequest } from '../../src/radar/api/responses/fast-path-connection.ts';
import type { WireResponse } from '../../src/radar/api/responses/serialized-response.ts';
import { atEnd } from '../support/at-end.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';

const addresses = ['/ready/1', '/ready/2', '/made/3'];
let fastPathResponses = 0;

/**
 * The server responds with the request line and body. Responses of /made/ are sent before the body
 * arrives.
 */
async function openServer(hasFastPath: boolean): Promise<number> {
  const server: Server = createServer((req, res) => {
    const parts: Buffer[] = [];
    res.sendDate = false;
    if (req.url?.startsWith('/made/')) {
      return res.end(req.method === 'HEAD' ? undefined : `${req.method} ${req.url}`);
    }
    req.on('data', (part) => parts.push(part));
    req.on('end', () => {
      const body = `${req.method} ${req.url} ${Buffer.concat(parts).toString('latin1')}`;
      res.end(req.method === 'HEAD' ? undefined : body);
    });
  });
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  if (hasFastPath) openFastPath(server, { respond: cachedResponseFor, isCached: () => true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

function cachedResponseFor({ url }: ParsedRequest): WireResponse | null {
  if (!url.startsWith('/ready/')) return null;
  fastPathResponses += 1;
  const body = `GET ${url} `;
  const head = `HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n`;
  const bytes = Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  return { bytes, body: null, coding: null, dateOffset: 0, second: 0, isPending: false };
}

const getRequest = (address: string) => `GET ${address} HTTP/1.1\r\nHost: radar\r\n\r\n`;

type Request = { readonly text: string; readonly responseCount: number };

/**
 * A random sequence of requests of every kind. The body of some requests is itself a complete
 * request, and the last request can be invalid.
 */
function conversationOf(random: Random): readonly Request[] {
  const count = Math.floor(random.next() * 6);
  const requests = Array.from({ length: count }, () => requestOf(random, goodKinds));
  return [...requests, requestOf(random, random.next() < 0.3 ? lastKinds : goodKinds)];
}

type Kind = (parts: Parts) => string | Request;
type Parts = {
  readonly address: string;
  /** A complete request, to be placed inside another one. */
  readonly innerRequest: string;
  readonly head: (method: string, lines: string) => string;
};

const lengthOf = ({ innerRequest }: Parts) => `Content-Length: ${innerRequest.length}\r\n`;

const goodKinds: readonly Kind[] = [
  ({ address }) => getRequest(address),
  ({ address }) => getRequest(address),
  ({ address }) => getRequest(address),
  ({ head }) => head('HEAD', ''),
  ({ head }) => head('OPTIONS', ''),
  (parts) => parts.head('GET', lengthOf(parts)) + parts.innerRequest,
  (parts) => parts.head('POST', lengthOf(parts)) + parts.innerRequest,
  ({ head, innerRequest }) => ({
    text: head('POST', 'Content-Length: 0\r\n') + innerRequest,
    responseCount: 2,
  }),
  ({ head, innerRequest }) =>
    head('POST', 'Transfer-Encoding: chunked\r\n') +
    `${innerRequest.length.toString(16)}\r\n${innerRequest}\r\n0\r\n\r\n`,
  (parts) => parts.head('POST', `Expect: 100-continue\r\n${lengthOf(parts)}`) + parts.innerRequest,
  ({ address, innerRequest }) => ({
    text: getRequest(address) + innerRequest,
    responseCount: 2,
  }),
  ({ address }) => `\r\n${getRequest(address)}`,
];

/** After these requests Node closes the connection or drops later bytes of the same packet. */
const lastKinds: readonly Kind[] = [
  ({ head }) => head('GET', 'Upgrade: other\r\nConnection: Upgrade\r\n'),
  ({ head }) => head('GET', 'Connection: close\r\n'),
  ({ address }) => `GET ${address} HTTP/1.0\r\n\r\n`,
  ({ address, innerRequest }) => `GET ${address} HTTP/1.1\nHost: radar\n\n${innerRequest}`,
  (parts) =>
    `${parts.head('GET', `${lengthOf(parts)}Transfer-Encoding: chunked\r\n`)}${parts.innerRequest}`,
  ({ innerRequest }) => `nonsense\r\n\r\n${innerRequest}`,
];

function requestOf(random: Random, kinds: readonly Kind[]): Request {
  const pickOne = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;
  const address = pickOne(addresses);
  const head = (method: string, lines: string) =>
    `${method} ${address} HTTP/1.1\r\nHost: radar\r\n${lines}\r\n`;
  const pickedRequest = pickOne(kinds)({
    address,
    innerRequest: getRequest(pickOne(addresses)),
    head,
  });
  return typeof pickedRequest === 'string'
    ? { text: pickedRequest, responseCount: 1 }
    : pickedRequest;
}

const responsesIn = (received: string) => received.match(/HTTP\/1\.1 [2-5]/g)?.length ?? 0;

/**
 * Sends the requests and returns all bytes until the server closes the connection. The server
 * closes after the client has ended its side.
 */
async function exchange(port: number, requests: readonly Request[], random: Random) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  let expectedCount = 0;
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    socket.emit('more');
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
  for (const [index, { text, responseCount }] of requests.entries()) {
    // All requests before the last request receive a response. The last may end the connection.
    const isPaced = random.next() < 0.7 || index === requests.length - 1;
    while (isPaced && responsesIn(received) < expectedCount) {
      await new Promise((resolve) => socket.once('more', resolve));
    }
    for (const chunk of cutIntoChunks(random, text)) {
      await new Promise<void>((resolve) => socket.write(chunk, 'latin1', () => resolve()));
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done));
    }
    expectedCount += responseCount;
  }
  socket.end();
  await closed;
  return received;
}

/** Leaves the text in one chunk, splits it after the head, or splits it anywhere. */
function cutIntoChunks(random: Random, text: string): readonly string[] {
  const roll = random.next();
  const headEnd = text.indexOf('\r\n\r\n') + 4;
  if (roll < 0.6 || headEnd === text.length) return [text];
  const position = roll < 0.85 ? headEnd : 1 + Math.floor(random.next() * (text.length - 1));
  return [text.slice(0, position), text.slice(position)];
}

const seed = proofSeed();
const count = proofSize(1_500, 20_000);

test(`${count} conversations have the responses of Node’s server (seed ${seed})`, async () => {
  const [fastPort, plainPort] = [await openServer(true), await openServer(false)];
  for (let index = 0; index < count; index += 1) {
    const conversation = conversationOf(seededRandom(seed * 100_000 + index));
    const pace = () => seededRandom(seed * 100_000 + index);
    const [fastBytes, plainBytes] = await Promise.all([
      exchange(fastPort, conversation, pace()),
      exchange(plainPort, conversation, pace()),
    ]);
    expect(
      fastBytes,
      `conversation ${index} of seed ${seed}: ${JSON.stringify(conversation)}`,
    ).toBe(plainBytes);
  }
  expect(fastPathResponses).toBeGreaterThan(count / 5);
}, 600_000);
