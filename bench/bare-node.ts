// A baseline of bench/feed.ts: a `node:http` server that sends one prepared response to every
// request, with the radar's headers. Arguments: the kind of response and its size in bytes.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [kind = '200', size = '0'] = process.argv.slice(2);
const body = randomBytes(Number(size));
const commonHeaders = [
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id, Location'],
  ...['ETag', 'W/"abcdefghijklmnopqrstuv"', 'Vary', 'Accept-Encoding'],
  ...['Cache-Control', 'public, max-age=60, s-maxage=60, stale-while-revalidate=300'],
];
const okHeaders = [
  ...commonHeaders,
  ...['Content-Type', 'application/json; charset=utf-8', 'X-Content-Type-Options', 'nosniff'],
  ...['Content-Encoding', 'gzip', 'Content-Length', size],
];

const server = createServer({ keepAliveTimeout: 65_000 }, (_req, res) => {
  if (kind === '304') res.writeHead(304, commonHeaders).end();
  else res.writeHead(200, okHeaders).end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
