// Sends requests at a constant rate, as a process on the second core. The time of a request begins
// when the request is due, also when no connection is free. The wait after a slow response is
// therefore measured too. Usage: `constant-rate.ts <RateLoad and connections as JSON>`.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { RateLoad, RateResult } from './rate-load.ts';

type Client = {
  readonly socket: Socket;
  startedAt: number;
  /** The head of the response as far as it was received, one character for each byte. */
  head: string;
  /** Bytes of the body to come; null: the head is incomplete. */
  remaining: number | null;
};

type Options = RateLoad & { readonly connections: number };

const options: Options = JSON.parse(process.argv[2] ?? '');
const { rate, seconds, connections } = options;
const { hostname, port, host } = new URL(options.origin);
const requests = readFileSync(options.file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [path, etag = ''] = line.split('\t');
    const validator = etag === '' ? '' : `If-None-Match: ${etag}\r\n`;
    const coding = `Accept-Encoding: ${options.acceptEncoding}\r\n`;
    return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${coding}${validator}\r\n`;
  });
const RECEIVE_BYTES = 128 * 1024;
const HEAD_MAX_BYTES = 4_096;
const idleClients: Client[] = [];
const times: number[] = [];
let sentCount = 0;

/**
 * Received bytes stay in one buffer for each connection. New buffers would make V8 collect all
 * objects of this process each 64 MB, and each pause would count as time of the server.
 */
async function openClient(): Promise<Client> {
  const callback = (length: number, bytes: Uint8Array) => {
    receive(client, bytes as Buffer, length);
    return true;
  };
  const socket = connect({
    port: Number(port),
    host: hostname,
    noDelay: true,
    onread: { buffer: Buffer.alloc(RECEIVE_BYTES), callback },
  });
  const client: Client = { socket, startedAt: 0, head: '', remaining: null };
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.on('error', fail);
  return client;
}

function receive(client: Client, bytes: Buffer, length: number): void {
  if (client.remaining === null) {
    const before = client.head.length;
    client.head += bytes.toString('latin1', 0, Math.min(length, HEAD_MAX_BYTES));
    const headEnd = client.head.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    client.remaining = bodyLength(client.head.slice(0, headEnd)) + headEnd + 4 - before;
  }
  client.remaining -= length;
  if (client.remaining > 0) return;
  client.head = '';
  client.remaining = null;
  times.push(performance.now() - client.startedAt);
  if (betweenMs === 0) {
    sendContinuously(client);
  } else {
    idleClients.push(client);
    sendDue();
  }
}

function bodyLength(head: string): number {
  if (head.startsWith('HTTP/1.1 304')) return 0;
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200') || length === undefined) fail(new Error(head));
  return Number(length);
}

function fail(error: Error): never {
  console.error(error.message);
  process.exit(1);
}

function send(client: Client, dueAt: number): void {
  const request = requests[options.repeats ? sentCount % requests.length : sentCount];
  if (request === undefined) fail(new Error('the file has too few paths'));
  sentCount += 1;
  client.startedAt = dueAt;
  client.socket.write(request);
}

for (let index = 0; index < connections; index += 1) idleClients.push(await openClient());
const start = performance.now();
const lengthMs = seconds * 1_000;
const betweenMs = rate === 'max' ? 0 : 1_000 / rate;
const plannedTotal = betweenMs === 0 ? 0 : Math.floor(lengthMs / betweenMs);

/** Due times of the requests that wait for a free connection, oldest first. */
const dueTimes: number[] = [];
/**
 * A timer sends at most the requests of two milliseconds. After a late timer, the next timers send
 * the remaining requests, because independent readers would not send theirs at the same moment.
 */
const MAX_AT_ONCE = Math.ceil(2 / betweenMs);
let plannedCount = 0;
/**
 * Runs each millisecond. Requests become due when this timer fires. A loop that never sleeps would
 * take the core from other processes.
 */
function sendOnTimer(): void {
  const now = performance.now();
  const planned = Math.min(plannedTotal, Math.floor((now - start) / betweenMs) + 1);
  for (let count = 0; count < MAX_AT_ONCE && plannedCount < planned; count += 1) {
    dueTimes.push(now);
    plannedCount += 1;
  }
  sendDue();
  if (
    plannedCount === plannedTotal &&
    dueTimes.length === 0 &&
    idleClients.length === connections
  ) {
    finish(now);
  } else {
    setTimeout(sendOnTimer, 1);
  }
}

function sendDue(): void {
  while (idleClients.length > 0 && dueTimes.length > 0)
    send(idleClients.shift() as Client, dueTimes.shift() as number);
}

/** Each connection sends its next request when it has the response to the last one. */
function sendContinuously(client: Client): void {
  const now = performance.now();
  if (now - start < lengthMs) send(client, now);
  else if (idleClients.push(client) === connections) finish(now);
}

function finish(now: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const rank = (share: number) =>
    sorted[Math.min(sorted.length - 1, sorted.length * share) | 0] ?? 0;
  const result: RateResult = {
    perSecond: sorted.length / ((now - start) / 1_000),
    seconds: (now - start) / 1_000,
    p50Ms: rank(0.5),
    p99Ms: rank(0.99),
    p999Ms: rank(0.999),
    maxMs: rank(1),
  };
  console.log(JSON.stringify(result));
  process.exit(0);
}

if (betweenMs === 0) for (const client of idleClients.splice(0)) sendContinuously(client);
else sendOnTimer();
