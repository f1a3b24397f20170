// What the relay adds to a chat completion, against the same server asked directly, side by side
// in one run: to a whole answer, to the first byte of a charged stream, to each chunk; and the
// memory of 2,000 open streams. Three processes: chat server, relay, client; and beside the relay a
// proxy that only passes on. Slices: `whole`, `chunk`, `memory`, `charged`.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchRow, isAsked, median, type Slices } from './row.ts';

const ROUNDS = 1_000;
/** What is measured comes after them: its code is compiled, as that of one that serves is. */
const WARM_UP = 5_000;
const CHARGED_ROUNDS = 120;
const CHARGED_WARM_UP = 500;
const STREAMS = 25;
const STREAMS_WARM_UP = 15;
const OPEN_STREAMS = 2_000;

type Target = { readonly url: string; readonly key: string };

const slices = ['whole', 'chunk', 'memory', 'charged'] as const;

export async function benchRelay({ asked, say }: Slices): Promise<BenchRow[]> {
  const chat = start('serve-chat.ts', []);
  const { url } = (await told(chat)) as { url: string };
  const direct: Target = { url: `${url}/v1/chat/completions`, key: 'none' };
  const measures = { whole, chunk, memory, charged };
  const rows: BenchRow[] = [];
  try {
    for (const slice of slices) {
      if (!isAsked(asked, slice)) continue;
      const more = await measures[slice](url, direct);
      for (const row of more) say(row);
      rows.push(...more);
    }
    return rows;
  } finally {
    chat.send('stop');
  }
}

/** Directly, through a proxy that only passes on, and through the relay, in turns. */
async function whole(url: string, direct: Target): Promise<BenchRow[]> {
  const { relay, through } = await startRelay(url, '0');
  const { bare, passing } = await startBare(url);
  const times = { direct: [] as number[], bare: [] as number[], relay: [] as number[] };
  for (let n = 0; n < ROUNDS + WARM_UP; n += 1) {
    const isCounted = n >= WARM_UP;
    const some = [await wholeMs(direct), await wholeMs(passing), await wholeMs(through)] as const;
    if (!isCounted) continue;
    times.direct.push(some[0]);
    times.bare.push(some[1]);
    times.relay.push(some[2]);
  }
  await stop(relay);
  bare.send('stop');
  const least = median(times.direct);
  const note = (all: readonly number[]) =>
    `${shown(all)} against ${shown(times.direct)} ms directly`;
  return [
    {
      name: 'relay, unbilled: added to a whole answer, p50',
      value: median(times.relay) - least,
      ...{ unit: 'ms', goal: { atMost: 0.3 }, note: note(times.relay) },
    },
    {
      name: 'a proxy that only passes on: added to a whole answer, p50',
      ...{ value: median(times.bare) - least, unit: 'ms', note: note(times.bare) },
    },
  ];
}

async function chunk(url: string, direct: Target): Promise<BenchRow[]> {
  const { relay, through } = await startRelay(url, '0');
  const { bare, passing } = await startBare(url);
  const times = { direct: [] as number[], bare: [] as number[], relay: [] as number[] };
  for (let n = 0; n < STREAMS + STREAMS_WARM_UP; n += 1) {
    const some = [await chunkMs(direct), await chunkMs(passing), await chunkMs(through)] as const;
    if (n < STREAMS_WARM_UP) continue;
    times.direct.push(...some[0]);
    times.bare.push(...some[1]);
    times.relay.push(...some[2]);
  }
  await stop(relay);
  bare.send('stop');
  const least = median(times.direct);
  const note = (all: readonly number[]) =>
    `${shown(all)} against ${shown(times.direct)} ms directly`;
  return [
    {
      name: 'relay: added to a streamed chunk, p50',
      value: median(times.relay) - least,
      ...{ unit: 'ms', goal: { atMost: 0.1 } },
      note: `${note(times.relay)}; ${times.relay.length} chunks, 2 ms apart`,
    },
    {
      name: 'a proxy that only passes on: added to a streamed chunk, p50',
      ...{ value: median(times.bare) - least, unit: 'ms', note: note(times.bare) },
    },
  ];
}

async function memory(url: string): Promise<BenchRow[]> {
  const { relay, through } = await startRelay(url, '0');
  const row = await memoryOfOpenStreams(relay, through);
  await stop(relay);
  return [row];
}

async function charged(url: string, direct: Target): Promise<BenchRow[]> {
  const { relay, through } = await startRelay(url, '0.000001');
  const first = { direct: [] as number[], relay: [] as number[], statement: [] as number[] };
  const statementMs = async () => {
    relay.send('statement');
    return ((await told(relay)) as { ms: number }).ms;
  };
  for (let n = 0; n < CHARGED_WARM_UP; n += 1) {
    await wholeMs(through);
    await statementMs();
  }
  for (let n = 0; n < CHARGED_ROUNDS; n += 1) {
    // Both after a stream that does not concern the relay: a disk and a process that come out of
    // the same rest.
    first.direct.push(await firstByteMs(direct));
    first.relay.push(await firstByteMs(through));
    await firstByteMs(direct);
    first.statement.push(await statementMs());
  }
  await stop(relay);
  const added = median(first.relay) - median(first.direct);
  const ms = median(first.statement);
  return [
    {
      name: 'relay, charged: added to the first byte beyond one durable statement, p50',
      value: added - ms,
      ...{ unit: 'ms', goal: { atMost: 0.5 } },
      note: `${added.toFixed(2)} ms added, one durable insert ${ms.toFixed(2)} ms`,
    },
  ];
}

async function memoryOfOpenStreams(relay: ChildProcess, through: Target): Promise<BenchRow> {
  const rss = async () => {
    relay.send('memory');
    return ((await told(relay)) as { rss: number }).rss / 2 ** 20;
  };
  const before = await rss();
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const open: IncomingMessage[] = [];
  const begin = async () => {
    const response = await ask(through, { stream: true, hold: true }, agent);
    await once(response, 'data');
    open.push(response);
  };
  for (let n = 0; n < OPEN_STREAMS; n += 50) await Promise.all(Array.from({ length: 50 }, begin));
  await pause(500);
  const after = await rss();
  for (const response of open) response.destroy();
  await pause(500);
  return {
    name: `relay: memory of ${OPEN_STREAMS} open streams`,
    value: after - before,
    unit: 'MB',
    note: `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB with them (RSS of the process)`,
  };
}

const kept = new Agent({ keepAlive: true });

function ask({ url, key }: Target, more: object, agent: Agent): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Good morning.' }];
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, resolve).on('error', reject);
    sent.end(JSON.stringify({ model: 'bench', messages, ...more }));
  });
}

async function wholeMs(target: Target): Promise<number> {
  const from = performance.now();
  const response = await ask(target, {}, kept);
  for await (const _chunk of response);
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  return performance.now() - from;
}

async function firstByteMs(target: Target): Promise<number> {
  const from = performance.now();
  const response = await ask(target, { stream: true, brief: true }, kept);
  let first = 0;
  for await (const _chunk of response) first ||= performance.now() - from;
  return first;
}

/** From where each event was written to where it is read, milliseconds. */
async function chunkMs(target: Target): Promise<number[]> {
  const response = await ask(target, { stream: true }, kept);
  const times: number[] = [];
  for await (const chunk of response) {
    const now = process.hrtime.bigint();
    for (const [, stamp = ''] of String(chunk).matchAll(/"content":"(\d+)"/g)) {
      times.push(Number(now - BigInt(stamp)) / 1e6);
    }
  }
  return times;
}

async function startRelay(url: string, perCall: string) {
  const relay = start('serve-relay.ts', [`${url}/v1`, perCall]);
  const place = (await told(relay)) as { url: string; key: string };
  const through: Target = { url: `${place.url}/relay/v1/chat/completions`, key: place.key };
  return { relay, through };
}

async function startBare(url: string) {
  const bare = start('serve-bare.ts', [`${url}/v1`]);
  const passing = (await told(bare)) as Target;
  return { bare, passing };
}

function start(file: string, args: readonly string[]): ChildProcess {
  const execArgv = ['--expose-gc'];
  return fork(join(import.meta.dirname, 'relay', file), [...args], { execArgv });
}

async function told(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.send('stop');
  await ended;
}

const shown = (times: readonly number[]) => median(times).toFixed(3);
