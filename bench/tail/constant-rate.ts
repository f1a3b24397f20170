// A client with a constant rate, in a process of its own on the second core. A request's time
// begins when it is due, also when no connection is free. A slow response therefore does not hide
// the wait of the next requests. Usage:
// `constant-rate.ts <origin> <file of paths> <per second, or max> <seconds> <connections>`.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

export type RateResult = {
  readonly perSecond: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
};

type Client = { readonly socket: Socket; startedAt: number; received: Buffer | null };

const [origin = '', file = '', rate = '', seconds = '', connections = ''] = process.argv.slice(2);
const { hostname, port, host } = new URL(origin);
const requests = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: identity\r\n\r\n`);
const idle: Client[] = [];
const times: number[] = [];
let sent = 0;

async function openClient(): Promise<Client> {
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await new Promise((resolve) => socket.once('connect', resolve));
  const client: Client = { socket, startedAt: 0, received: null };
  socket.on('error', fail);
  socket.on('data', (bytes) => {
    const all = client.received === null ? bytes : Buffer.concat([client.received, bytes]);
    client.received = all;
    const headEnd = all.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = all.toString('latin1', 0, headEnd);
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (!head.startsWith('HTTP/1.1 200') || length === undefined) fail(new Error(head));
    if (all.length < headEnd + 4 + Number(length)) return;
    client.received = null;
    times.push(performance.now() - client.startedAt);
    if (betweenMs === 0) return repeat(client);
    idle.push(client);
    sendDue();
  });
  return client;
}

function fail(error: Error): never {
  console.error(error.message);
  process.exit(1);
}

function send(client: Client, dueAt: number): void {
  const request = requests[sent];
  if (request === undefined) fail(new Error('the file has too few paths'));
  sent += 1;
  client.startedAt = dueAt;
  client.socket.write(request);
}

for (let index = 0; index < Number(connections); index += 1) idle.push(await openClient());
const start = performance.now();
const lengthMs = Number(seconds) * 1_000;
const betweenMs = rate === 'max' ? 0 : 1_000 / Number(rate);
const plannedTotal = betweenMs === 0 ? 0 : Math.floor(lengthMs / betweenMs);

/**
 * A timer each millisecond sends what is due. A request's time begins when the timer fires.
 * A loop that never sleeps would take the core from other processes.
 */
const due: number[] = [];
let planned = 0;
function turn(): void {
  const now = performance.now();
  for (; planned < plannedTotal && start + planned * betweenMs <= now; planned += 1) due.push(now);
  sendDue();
  if (planned === plannedTotal && due.length === 0 && idle.length === Number(connections)) {
    finish(now);
  } else {
    setTimeout(turn, 1);
  }
}

function sendDue(): void {
  while (idle.length > 0 && due.length > 0) send(idle.shift() as Client, due.shift() as number);
}

/** Each connection sends its next request when it has the response to the last one. */
function repeat(client: Client): void {
  const now = performance.now();
  if (now - start < lengthMs) send(client, now);
  else if (idle.push(client) === Number(connections)) finish(now);
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

if (betweenMs === 0) for (const client of idle.splice(0)) repeat(client);
else turn();
