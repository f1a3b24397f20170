// Measures the latency that the relay adds to a chat completion. Direct calls and a proxy that only
// forwards are the baselines of the same run. The chat server, the relay and the client are
// separate processes. Slices: whole responses, dialects, chunks, memory of 2,000 open streams,
// first bytes of charged streams, bodies of 560 KB, raised holds, splice points, and records.
//
// Whole responses and chunks are measured twice. Blocks on cores that are kept awake show what the
// relay itself adds in a busy service. Single calls on cores that may sleep mostly show the
// machine's wake-up time, for relay and proxy alike.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { benchLargeBodies } from './relay/body-rows.ts';
import { benchRaisedHolds, benchSpliceGaps } from './relay/stream-rows.ts';
import {
  buildOverheadRows,
  measureBlock,
  measureChunkMs,
  measureFirstByteMs,
  measureInTurns,
  measureWholeMs,
  PLAIN_PROXY,
  percentile99,
  type RelayProcess,
  receiveMessage,
  sendRequest,
  startBareProxy,
  startProcess,
  startRelay,
  type Target,
  targetAt,
  turns,
  withAwakeCores,
  withRelayAndProxy,
} from './relay/targets.ts';
import { type BenchRow, isSelected, median, type Slices } from './row.ts';

/** Number of consecutive calls to one target. */
const BLOCK = 25;
const BLOCKS = 60;
const SINGLE_CALLS = 1_000;
/** Number of consecutive calls for one value of processor time. */
const CPU_CALLS = 500;
const CPU_ROUNDS = 9;
/** Warm-up calls before the measurement, so that all code is compiled. */
const WARM_UP = 5_000;
const CHARGED_ROUNDS = 120;
const CHARGED_WARM_UP = 500;
const STREAMS = 25;
const STREAMS_WARM_UP = 15;
const OPEN_STREAMS = 2_000;

const slices = [
  ...(['whole', 'dialects', 'chunk', 'memory', 'charged'] as const),
  ...(['body', 'extension', 'splice', 'recording'] as const),
];

export async function benchRelay({ selected, report }: Slices): Promise<BenchRow[]> {
  const chat = startProcess('serve-chat.ts', []);
  const { url } = (await receiveMessage(chat)) as { url: string };
  const direct: Target = { url: `${url}/v1/chat/completions`, key: 'none' };
  const measures = {
    whole: measureWholeResponse,
    dialects: benchDialects,
    chunk: benchChunks,
    memory: benchMemory,
    charged: benchCharge,
    body: benchLargeBodies,
    extension: benchRaisedHolds,
    splice: benchSpliceGaps,
    recording: benchRecording,
  };
  const rows: BenchRow[] = [];
  try {
    for (const slice of slices) {
      if (!isSelected(selected, slice)) continue;
      const newRows = await measures[slice](url, direct);
      for (const row of newRows) report(row);
      rows.push(...newRows);
    }
    return rows;
  } finally {
    chat.send('stop');
  }
}

async function measureWholeResponse(url: string, direct: Target): Promise<BenchRow[]> {
  const { awake, asleep, cpu } = await withRelayAndProxy(url, 'free', async (relay, bareProxy) => {
    const targets = { direct, bareProxy: bareProxy.target, relay: relay.target };
    await measureInTurns(targets, WARM_UP / BLOCK, measureBlock(BLOCK));
    return {
      awake: await withAwakeCores(() => measureInTurns(targets, BLOCKS, measureBlock(BLOCK))),
      asleep: await measureInTurns(targets, SINGLE_CALLS, measureBlock(1)),
      cpu: await measureCallCpu([relay, bareProxy]),
    };
  });
  const rowName = 'added to a complete response, p50';
  return [
    ...buildOverheadRows(`unbilled: ${rowName}`, awake, { goal: 0.3 }),
    ...buildOverheadRows('unbilled: added to a complete response, p99', awake, {
      goal: 2,
      figure: percentile99,
    }),
    ...buildOverheadRows(
      `unbilled, one call at a time on cores that may sleep: ${rowName}`,
      asleep,
    ),
    ...[`relay, unbilled`, PLAIN_PROXY].map((name, index) => ({
      name: `${name}: processor time of a complete response`,
      value: (cpu[index] ?? 0) / 1_000,
      unit: 'ms',
      note: `of its process, all threads, records included; ${CPU_CALLS} calls in a row`,
    })),
  ];
}

const requests: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  chat: { path: 'chat/completions', body: { messages: turns } },
  messages: { path: 'messages', body: { messages: turns, max_tokens: 100 } },
  responses: { path: 'responses', body: { input: 'Good morning.' } },
  embeddings: { path: 'embeddings', body: { input: 'Good morning.' } },
};
/** The relay contract's limit for telemetry, applied to the usage records of the relay. */
const RECORDING_GOAL_MS = 0.05;
/** A dialect may add this much more latency than chat. */
const DIALECT_GOAL_MS = 0.05;

/** Measures all dialects in turns, each against the same server without the relay. */
async function benchDialects(url: string, direct: Target): Promise<BenchRow[]> {
  const relay = await startRelay(url, 'free');
  const targets = Object.entries(requests).flatMap(([name, { path, body }]) => {
    return [
      { name, isRelay: false, target: targetAt(direct, path, body) },
      { name, isRelay: true, target: targetAt(relay.target, path, body) },
    ];
  });
  const times = new Map(targets.map((target) => [target, [] as number[]]));
  const runRounds = async (count: number) => {
    for (let round = 0; round < count; round += 1) {
      for (const [{ target }, durations] of times) {
        for (let index = 0; index < BLOCK; index += 1) durations.push(await measureWholeMs(target));
      }
    }
  };
  await runRounds(WARM_UP / BLOCK / 4);
  for (const durations of times.values()) durations.length = 0;
  await withAwakeCores(() => runRounds(BLOCKS));
  await relay.stop();
  const medianOf = (name: string, isRelay: boolean) => {
    const entry = [...times].find(([key]) => key.name === name && key.isRelay === isRelay);
    return median(entry?.[1] ?? []);
  };
  const addedBy = (name: string) => medianOf(name, true) - medianOf(name, false);
  return Object.keys(requests).map((name) => ({
    name: `relay, unbilled, ${name}: added to a complete response, p50`,
    value: addedBy(name),
    unit: 'ms',
    ...(name !== 'chat' && { goal: { atMost: addedBy('chat') + DIALECT_GOAL_MS } }),
    note: [true, false].map((isRelay) => medianOf(name, isRelay).toFixed(3)).join(' against '),
  }));
}

async function benchChunks(url: string, direct: Target): Promise<BenchRow[]> {
  const { awake, asleep } = await withRelayAndProxy(url, 'free', async (relay, bareProxy) => {
    const targets = { direct, bareProxy: bareProxy.target, relay: relay.target };
    await measureInTurns(targets, STREAMS_WARM_UP, measureChunkMs);
    return {
      awake: await withAwakeCores(() => measureInTurns(targets, STREAMS, measureChunkMs)),
      asleep: await measureInTurns(targets, STREAMS, measureChunkMs),
    };
  });
  const name = 'added to a streamed chunk, p50';
  return [
    ...buildOverheadRows(name, awake, { goal: 0.1 }),
    ...buildOverheadRows(`on cores that may sleep: ${name}`, asleep),
  ];
}

/** Microseconds of processor time per call of each target, as medians of alternating rounds. */
async function measureCallCpu(relays: readonly RelayProcess[]): Promise<number[]> {
  const costs = relays.map((): number[] => []);
  for (let round = 0; round < CPU_ROUNDS; round += 1) {
    for (const [relayIndex, { child, target }] of relays.entries()) {
      const readCpuTime = async () => {
        child.send('cpu');
        const { user, system } = (await receiveMessage(child)) as NodeJS.CpuUsage;
        return user + system;
      };
      const cpuBefore = await readCpuTime();
      for (let call = 0; call < CPU_CALLS; call += 1) await measureWholeMs(target);
      costs[relayIndex]?.push(((await readCpuTime()) - cpuBefore) / CPU_CALLS);
    }
  }
  return costs.map(median);
}

async function benchMemory(url: string): Promise<BenchRow[]> {
  const { child, target, stop: stopRelay } = await startRelay(url, 'free');
  const row = await memoryOfOpenStreams(child, target);
  await stopRelay();
  return [row];
}

/** Measures free calls with and without their records, in turns. */
async function benchRecording(url: string, direct: Target): Promise<BenchRow[]> {
  const recorded = await startRelay(url, 'free');
  const unrecorded = await startRelay(url, 'unrecorded');
  const bareProxy = await startBareProxy(url);
  const targets = {
    direct,
    bareProxy: bareProxy.target,
    recorded: recorded.target,
    unrecorded: unrecorded.target,
  };
  await measureInTurns(targets, WARM_UP / BLOCK / 2, measureBlock(BLOCK));
  const times = await withAwakeCores(() => measureInTurns(targets, BLOCKS, measureBlock(BLOCK)));
  for (const { stop } of [recorded, unrecorded, bareProxy]) await stop();
  const addedMs = median(times.recorded) - median(times.unrecorded);
  return [
    {
      name: 'relay, unbilled: records of usage and calls, added to a complete response, p50',
      value: addedMs,
      unit: 'ms',
      goal: { atMost: RECORDING_GOAL_MS },
      note:
        `${formatMedian(times.recorded)} against ${formatMedian(times.unrecorded)} ms; a plain ` +
        `proxy ${formatMedian(times.bareProxy)}, directly ${formatMedian(times.direct)}`,
    },
  ];
}

/** Runs on cores that may sleep, because other load would delay the disk. */
async function benchCharge(url: string, direct: Target): Promise<BenchRow[]> {
  const { child: relay, target, stop: stopRelay } = await startRelay(url, 'per_call');
  const firstBytes = { direct: [] as number[], relay: [] as number[], statement: [] as number[] };
  const statementMs = async () => {
    relay.send('statement');
    return ((await receiveMessage(relay)) as { ms: number }).ms;
  };
  for (let index = 0; index < CHARGED_WARM_UP; index += 1) {
    await measureWholeMs(target);
    await statementMs();
  }
  for (let index = 0; index < CHARGED_ROUNDS; index += 1) {
    // The relay's call and the statement each follow a direct call, so that disk and processes are
    // equally idle.
    firstBytes.direct.push(await measureFirstByteMs(direct));
    firstBytes.relay.push(await measureFirstByteMs(target));
    await measureFirstByteMs(direct);
    firstBytes.statement.push(await statementMs());
  }
  await stopRelay();
  const addedMs = median(firstBytes.relay) - median(firstBytes.direct);
  const statementMedian = median(firstBytes.statement);
  return [
    {
      name: 'relay, charged: added to the first byte beyond one durable statement, p50',
      value: addedMs - statementMedian,
      unit: 'ms',
      goal: { atMost: 1 },
      note: `${addedMs.toFixed(2)} ms added, one durable insert ${statementMedian.toFixed(2)} ms`,
    },
  ];
}

async function memoryOfOpenStreams(relay: ChildProcess, target: Target): Promise<BenchRow> {
  const readRssMb = async () => {
    relay.send('memory');
    return ((await receiveMessage(relay)) as { rss: number }).rss / 2 ** 20;
  };
  const mbBefore = await readRssMb();
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const openStreams: IncomingMessage[] = [];
  const openStream = async () => {
    const response = await sendRequest(target, { stream: true, hold: true }, agent);
    await once(response, 'data');
    openStreams.push(response);
  };
  for (let index = 0; index < OPEN_STREAMS; index += 50)
    await Promise.all(Array.from({ length: 50 }, openStream));
  await pause(500);
  const mbAfter = await readRssMb();
  for (const response of openStreams) response.destroy();
  await pause(500);
  return {
    name: `relay: memory of ${OPEN_STREAMS} open streams`,
    value: mbAfter - mbBefore,
    unit: 'MB',
    goal: { atMost: 160 },
    note:
      `${mbBefore.toFixed(0)} MB before, ${mbAfter.toFixed(0)} MB with them ` +
      '(RSS of the process)',
  };
}

const formatMedian = (times: readonly number[]) => median(times).toFixed(3);
