// Responses with random damage. Each request ends with an outcome, never with an exception, and
// never hangs.
import zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { get, loopbackNet, openRawServer } from './loopback.ts';

const seed = proofSeed();
const rounds = proofSize(400, 20_000);

const body = zlib.gzipSync(`<rss>${'item '.repeat(200)}</rss>`);
const head = (fields: string) => Buffer.from(`HTTP/1.1 200 OK\r\n${fields}\r\n\r\n`);
const chunk = (data: Buffer) =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
const responses: readonly Buffer[] = [
  Buffer.concat([head(`content-encoding: gzip\r\ncontent-length: ${body.length}`), body]),
  Buffer.concat([
    head('content-encoding: gzip\r\ntransfer-encoding: chunked'),
    chunk(body.subarray(0, 40)),
    chunk(body.subarray(40)),
    Buffer.from('0\r\n\r\n'),
  ]),
  Buffer.from('HTTP/1.1 302 Found\r\nlocation: /x?y=z\r\ncontent-length: 0\r\n\r\n'),
  Buffer.concat([
    Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    head('etag: "1"\r\ncontent-encoding: deflate'),
    zlib.deflateRawSync('text '.repeat(300)),
  ]),
];

test(`every damaged response gives an outcome (seed ${seed}, ${rounds} responses)`, async () => {
  const random = seededRandom(seed);
  const randomBelow = (limit: number) => Math.floor(random.next() * limit);
  const damagedResponse = () => {
    const bytes = Buffer.from(responses[randomBelow(responses.length)] ?? '');
    for (let damageCount = randomBelow(6); damageCount > 0; damageCount -= 1)
      bytes[randomBelow(bytes.length)] = randomBelow(256);
    const start = randomBelow(8) === 0 ? randomBelow(bytes.length) : 0;
    const end = randomBelow(4) === 0 ? start + randomBelow(bytes.length) : bytes.length;
    return bytes.subarray(start, end);
  };
  const server = await openRawServer((socket) => socket.end(damagedResponse()));
  const net = loopbackNet({ perHostConcurrency: 8 });
  const kinds: Record<string, number> = {};
  const reasons = new Set(['protocol', 'too_large', 'redirects', 'address_refused', 'dns']);
  const requestOnce = async () => {
    const outcome = await net.request(get(`${server.origin}/`, { maxBytes: 100_000 }));
    kinds[outcome.kind] = (kinds[outcome.kind] ?? 0) + 1;
    if (outcome.kind === 'response') expect(outcome.body.length).toBeLessThanOrEqual(100_000);
    else expect(reasons).toContain(outcome.reason);
  };
  await Promise.all(Array.from({ length: rounds }, requestOnce));
  // Both outcomes occur; otherwise there is too much or too little damage.
  expect(Math.min(kinds.response ?? 0, kinds.failed ?? 0)).toBeGreaterThan(rounds / 10);
});
