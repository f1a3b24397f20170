// The latency that the relay adds to a chat completion, beside the same server without a relay, in
// one run. Rows: a whole response, one of each dialect, the first byte of a charged stream, each
// chunk, and the memory of 2,000 open streams. Three processes run: chat server, relay and client.
// A proxy that only forwards runs beside the relay. Slices: `whole`, `dialects`, `chunk`, `memory`,
// `charged`. Whole responses and chunks are measured twice. Blocks on cores that are kept awake
// show what the relay itself adds in a busy service. Single calls on cores that may sleep mostly
// show the machine's wake-up time, for relay and proxy alike.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchRow, isSelected, median, type Slices } from './row.ts';

/** Calls to one target before the next one's turn. */
const BLOCK = 25;
const BLOCKS = 60;
const ALONE = 1_000;
/** Processor time: consecutive calls, enough for a median. */
const CPU_CALLS = 500;
const CPU_ROUNDS = 9;
/** Warm-up calls before the measurement, so that all code is compiled. */
const WARM_UP = 5_000;
const CHARGED_ROUNDS = 120;
const CHARGED_WARM_UP = 500;
const STREAMS = 25;
const STREAMS_WARM_UP = 15;
const OPEN_STREAMS = 2_000;

type Target = {
  readonly url: string;
  readonly key: string;
  /** Absent: a chat completion. */
  readonly body?: object;
};

const slices = ['whole', 'dialects', 'chunk', 'memory', 'charged'] as const;

export async function benchRelay({ selected, report }: Slices): Promise<BenchRow[]> {
  const chat = start('serve-chat.ts', []);
  const { url } = (await messageFrom(chat)) as { url: string };
  const direct: Target = { url: `${url}/v1/chat/completions`, key: 'none' };
  const measures = { whole: measureWholeResponse, dialects, chunk, memory, charged: benchCharge };
  const rows: BenchRow[] = [];
  try {
    for (const slice of slices) {
      if (!isSelected(selected, slice)) continue;
      const more = await measures[slice](url, direct);
      for (const row of more) report(row);
      rows.push(...more);
    }
    return rows;
  } finally {
    chat.send('stop');
  }
}

async function measureWholeResponse(url: string, direct: Target): Promise<BenchRow[]> {
  const relay = await startRelay(url, '0');
  const bareProxy = await startBare(url);
  const targets = { direct, bareProxy: bareProxy.through, relay: relay.through };
  const calls = (block: number) => async (target: Target) => {
    const times: number[] = [];
    for (let n = 0; n < block; n += 1) times.push(await wholeMs(target));
    return times;
  };
  await measureInTurns(targets, WARM_UP / BLOCK, calls(BLOCK));
  const awake = await withAwakeCores(() => measureInTurns(targets, BLOCKS, calls(BLOCK)));
  const asleep = await measureInTurns(targets, ALONE, calls(1));
  const cpu = await cpuOfCalls([relay, bareProxy]);
  await relay.stop();
  await bareProxy.stop();
  const what = 'added to a whole answer, p50';
  return [
    ...addedRows(`unbilled: ${what}`, awake, 0.3),
    ...addedRows(`unbilled, one call at a time on cores that may sleep: ${what}`, asleep),
    ...[`relay, unbilled`, PASSING].map((name, at) => ({
      name: `${name}: processor time of a whole answer`,
      value: (cpu[at] ?? 0) / 1_000,
      unit: 'ms',
      note: `of its process, all threads, with what it writes down; ${CPU_CALLS} calls in a row`,
    })),
  ];
}

const turns = [{ role: 'user', content: 'Good morning.' }];

const requests: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  chat: { path: 'chat/completions', body: { messages: turns } },
  messages: { path: 'messages', body: { messages: turns, max_tokens: 100 } },
  responses: { path: 'responses', body: { input: 'Good morning.' } },
  embeddings: { path: 'embeddings', body: { input: 'Good morning.' } },
};
/** Limit of the additional latency of another dialect compared with chat. */
const DIALECT_MS = 0.05;

/** All dialects in turns, each against the same server without the relay. */
async function dialects(url: string): Promise<BenchRow[]> {
  const relay = await startRelay(url, '0');
  const targets = Object.entries(requests).flatMap(([name, { path, body }]) => {
    const through = { url: relay.through.url.replace('chat/completions', path), body };
    const direct = { url: `${url}/v1/${path}`, key: 'none', body };
    const { key } = relay.through;
    return [
      { name, isRelay: false, target: direct },
      { name, isRelay: true, target: { ...through, key } },
    ];
  });
  const times = new Map(targets.map((target) => [target, [] as number[]]));
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round += 1) {
      for (const [{ target }, durations] of times) {
        for (let n = 0; n < BLOCK; n += 1) durations.push(await wholeMs(target));
      }
    }
  };
  await rounds(WARM_UP / BLOCK / 4);
  for (const durations of times.values()) durations.length = 0;
  await withAwakeCores(() => rounds(BLOCKS));
  await relay.stop();
  const medianOf = (name: string, isRelay: boolean) => {
    const entry = [...times].find(([one]) => one.name === name && one.isRelay === isRelay);
    return median(entry?.[1] ?? []);
  };
  const addedBy = (name: string) => medianOf(name, true) - medianOf(name, false);
  return Object.keys(requests).map((name) => ({
    name: `relay, unbilled, ${name}: added to a whole answer, p50`,
    value: addedBy(name),
    unit: 'ms',
    ...(name !== 'chat' && { goal: { atMost: addedBy('chat') + DIALECT_MS } }),
    note: [true, false].map((isRelay) => medianOf(name, isRelay).toFixed(3)).join(' against '),
  }));
}

async function chunk(url: string, direct: Target): Promise<BenchRow[]> {
  const relay = await startRelay(url, '0');
  const bareProxy = await startBare(url);
  const targets = { direct, bareProxy: bareProxy.through, relay: relay.through };
  await measureInTurns(targets, STREAMS_WARM_UP, chunkMs);
  const awake = await withAwakeCores(() => measureInTurns(targets, STREAMS, chunkMs));
  const asleep = await measureInTurns(targets, STREAMS, chunkMs);
  await relay.stop();
  await bareProxy.stop();
  const what = 'added to a streamed chunk, p50';
  return [...addedRows(what, awake, 0.1), ...addedRows(`on cores that may sleep: ${what}`, asleep)];
}

type Times = { readonly direct: number[]; readonly bareProxy: number[]; readonly relay: number[] };
type Targets = Readonly<Record<keyof Times, Target>>;

/** Direct calls, calls through a plain proxy, and calls through the relay, in turns. */
async function measureInTurns(
  targets: Targets,
  rounds: number,
  measure: (target: Target) => Promise<number[]>,
): Promise<Times> {
  const times: Times = { direct: [], bareProxy: [], relay: [] };
  for (let n = 0; n < rounds; n += 1) {
    for (const name of ['direct', 'bareProxy', 'relay'] as const) {
      times[name].push(...(await measure(targets[name])));
    }
  }
  return times;
}

const PASSING = 'a proxy that only passes on';

function addedRows(what: string, times: Times, atMost?: number): BenchRow[] {
  return (['relay', 'bareProxy'] as const).map((name) => ({
    name: `${name === 'relay' ? name : PASSING}, ${what}`,
    value: median(times[name]) - median(times.direct),
    unit: 'ms',
    ...(name === 'relay' && atMost !== undefined && { goal: { atMost } }),
    note:
      `${formatMedian(times[name])} against ${formatMedian(times.direct)} ms directly, ` +
      `${times[name].length}`,
  }));
}

/** Microseconds per call of each target: medians of several rounds in turns. */
async function cpuOfCalls(served: readonly RelayAddresses[]): Promise<number[]> {
  const rounds = served.map((): number[] => []);
  for (let n = 0; n < CPU_ROUNDS; n += 1) {
    for (const [at, { child, through }] of served.entries()) {
      const usedTokens = async () => {
        child.send('cpu');
        const { user, system } = (await messageFrom(child)) as NodeJS.CpuUsage;
        return user + system;
      };
      const before = await usedTokens();
      for (let call = 0; call < CPU_CALLS; call += 1) await wholeMs(through);
      rounds[at]?.push(((await usedTokens()) - before) / CPU_CALLS);
    }
  }
  return rounds.map(median);
}

/** Keeps all cores awake with processes of the lowest priority. */
async function withAwakeCores<T>(work: () => Promise<T>): Promise<T> {
  const spinners = cpus().map(() => start('stay-awake.ts', []));
  await Promise.all(spinners.map(messageFrom));
  try {
    return await work();
  } finally {
    await Promise.all(spinners.map(stop));
  }
}

async function memory(url: string): Promise<BenchRow[]> {
  const { child, through, stop: end } = await startRelay(url, '0');
  const row = await memoryOfOpenStreams(child, through);
  await end();
  return [row];
}

/** Runs on cores that may sleep, because other load would delay the disk. */
async function benchCharge(url: string, direct: Target): Promise<BenchRow[]> {
  const { child: relay, through, stop: end } = await startRelay(url, '0.000001');
  const first = { direct: [] as number[], relay: [] as number[], statement: [] as number[] };
  const statementMs = async () => {
    relay.send('statement');
    return ((await messageFrom(relay)) as { ms: number }).ms;
  };
  for (let n = 0; n < CHARGED_WARM_UP; n += 1) {
    await wholeMs(through);
    await statementMs();
  }
  for (let n = 0; n < CHARGED_ROUNDS; n += 1) {
    // Runs after an unrelated stream, so that disk and processes start from the same idle state.
    first.direct.push(await firstByteMs(direct));
    first.relay.push(await firstByteMs(through));
    await firstByteMs(direct);
    first.statement.push(await statementMs());
  }
  await end();
  const added = median(first.relay) - median(first.direct);
  const ms = median(first.statement);
  return [
    {
      name: 'relay, charged: added to the first byte beyond one durable statement, p50',
      value: added - ms,
      unit: 'ms',
      goal: { atMost: 0.5 },
      note: `${added.toFixed(2)} ms added, one durable insert ${ms.toFixed(2)} ms`,
    },
  ];
}

async function memoryOfOpenStreams(relay: ChildProcess, through: Target): Promise<BenchRow> {
  const rss = async () => {
    relay.send('memory');
    return ((await messageFrom(relay)) as { rss: number }).rss / 2 ** 20;
  };
  const before = await rss();
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const open: IncomingMessage[] = [];
  const begin = async () => {
    const response = await sendRequest(through, { stream: true, hold: true }, agent);
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

const keepAliveAgent = new Agent({ keepAlive: true });

function sendRequest(
  { url, key, body }: Target,
  more: object,
  agent: Agent,
): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { method: 'POST', agent, headers }, resolve).on(
      'error',
      reject,
    );
    clientRequest.end(
      JSON.stringify({ model: 'bench', ...(body ?? { messages: turns }), ...more }),
    );
  });
}

async function wholeMs(target: Target): Promise<number> {
  const from = performance.now();
  const response = await sendRequest(target, {}, keepAliveAgent);
  for await (const _chunk of response);
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  return performance.now() - from;
}

async function firstByteMs(target: Target): Promise<number> {
  const from = performance.now();
  const response = await sendRequest(target, { stream: true, brief: true }, keepAliveAgent);
  let first = 0;
  for await (const _chunk of response) first ||= performance.now() - from;
  return first;
}

/** Time from the write of each event to its arrival, milliseconds. */
async function chunkMs(target: Target): Promise<number[]> {
  const response = await sendRequest(target, { stream: true }, keepAliveAgent);
  const times: number[] = [];
  for await (const chunk of response) {
    const now = process.hrtime.bigint();
    for (const [, stamp = ''] of String(chunk).matchAll(/"content":"(\d+)"/g)) {
      times.push(Number(now - BigInt(stamp)) / 1e6);
    }
  }
  return times;
}

type RelayAddresses = {
  readonly child: ChildProcess;
  readonly through: Target;
  stop(): Promise<void>;
};

async function startRelay(url: string, perCall: string): Promise<RelayAddresses> {
  const child = start('serve-relay.ts', [`${url}/v1`, perCall]);
  const place = (await messageFrom(child)) as { url: string; key: string };
  const through: Target = { url: `${place.url}/relay/v1/chat/completions`, key: place.key };
  return { child, through, stop: () => stop(child) };
}

async function startBare(url: string): Promise<RelayAddresses> {
  const child = start('serve-bare.ts', [`${url}/v1`]);
  const through = (await messageFrom(child)) as Target;
  return { child, through, stop: () => stop(child) };
}

function start(file: string, args: readonly string[]): ChildProcess {
  const execArgv = ['--expose-gc'];
  return fork(join(import.meta.dirname, 'relay', file), [...args], { execArgv });
}

async function messageFrom(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.send('stop');
  await ended;
}

const formatMedian = (times: readonly number[]) => median(times).toFixed(3);
