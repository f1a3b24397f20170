// Starts the processes of the relay's measurements, and sends requests to them: the chat server,
// the relay, and a proxy that only forwards.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, median } from '../row.ts';

export type Target = {
  readonly url: string;
  readonly key: string;
  /** Absent: a chat completion. */
  readonly body?: object;
};

/** Settings of the measured relay; `serve-relay.ts` describes them. */
export type RelayMode = 'free' | 'unrecorded' | 'per_call' | 'per_token';

export type RelayProcess = {
  readonly child: ChildProcess;
  readonly target: Target;
  stop(): Promise<void>;
};

export async function startRelay(url: string, mode: RelayMode): Promise<RelayProcess> {
  const child = startProcess('serve-relay.ts', [`${url}/v1`, mode]);
  const addresses = (await receiveMessage(child)) as { url: string; key: string };
  const target: Target = { url: `${addresses.url}/relay/v1/chat/completions`, key: addresses.key };
  return { child, target, stop: () => stopProcess(child) };
}

export async function startBareProxy(url: string): Promise<RelayProcess> {
  const child = startProcess('serve-bare.ts', [`${url}/v1`]);
  const target = (await receiveMessage(child)) as Target;
  return { child, target, stop: () => stopProcess(child) };
}

/** Runs `work` with a relay and a plain proxy in front of the same server, and stops both. */
export async function withRelayAndProxy<T>(
  url: string,
  mode: RelayMode,
  work: (relay: RelayProcess, bareProxy: RelayProcess) => Promise<T>,
): Promise<T> {
  const relay = await startRelay(url, mode);
  const bareProxy = await startBareProxy(url);
  try {
    return await work(relay, bareProxy);
  } finally {
    await relay.stop();
    await bareProxy.stop();
  }
}

/** The target at another path of the API, with another body. */
export const targetAt = (target: Target, path: string, body: object): Target => ({
  ...target,
  url: target.url.replace('chat/completions', path),
  body,
});

export function startProcess(file: string, args: readonly string[]): ChildProcess {
  // `bin/radar` sets the same size of the young generation.
  const execArgv = ['--expose-gc', '--max-semi-space-size=8'];
  return fork(join(import.meta.dirname, file), [...args], { execArgv });
}

export async function receiveMessage(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.send('stop');
  await exited;
}

/** Keeps all cores awake with processes of the lowest priority. */
export async function withAwakeCores<T>(work: () => Promise<T>): Promise<T> {
  const spinners = cpus().map(() => startProcess('stay-awake.ts', []));
  await Promise.all(spinners.map(receiveMessage));
  try {
    return await work();
  } finally {
    await Promise.all(spinners.map(stopProcess));
  }
}

export const turns = [{ role: 'user', content: 'Good morning.' }];

const keepAliveAgent = new Agent({ keepAlive: true });

export function sendRequest(
  { url, key, body }: Target,
  extraFields: object,
  agent: Agent = keepAliveAgent,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...extraHeaders,
  };
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { method: 'POST', agent, headers }, resolve).on(
      'error',
      reject,
    );
    clientRequest.end(
      JSON.stringify({ model: 'bench', ...(body ?? { messages: turns }), ...extraFields }),
    );
  });
}

export async function measureWholeMs(target: Target): Promise<number> {
  const startedAt = performance.now();
  const response = await sendRequest(target, {});
  for await (const _chunk of response);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return performance.now() - startedAt;
}

export async function measureFirstByteMs(target: Target): Promise<number> {
  const startedAt = performance.now();
  const response = await sendRequest(target, { stream: true, brief: true });
  let firstByteMs = 0;
  for await (const _chunk of response) firstByteMs ||= performance.now() - startedAt;
  return firstByteMs;
}

/** Time from the write of each event to its arrival, milliseconds. */
export async function measureChunkMs(target: Target): Promise<number[]> {
  const response = await sendRequest(target, { stream: true });
  const times: number[] = [];
  for await (const chunk of response) {
    const now = process.hrtime.bigint();
    for (const [, stamp = ''] of String(chunk).matchAll(/"content":"(\d+)"/g)) {
      times.push(Number(now - BigInt(stamp)) / 1e6);
    }
  }
  if (times.length === 0) throw new Error(`status ${response.statusCode}, no event`);
  return times;
}

/** Milliseconds of direct calls, of calls through a plain proxy, and of calls through the relay. */
export type Times = Readonly<Record<'direct' | 'bareProxy' | 'relay', readonly number[]>>;

/** The times of each target, measured in turns. */
export async function measureInTurns<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  rounds: number,
  measure: (target: Target) => Promise<number[]>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(targets) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) times[name].push(...(await measure(targets[name])));
  }
  return times;
}

/** Measures `block` consecutive whole responses of one target. */
export const measureBlock = (block: number) => async (target: Target) => {
  const times: number[] = [];
  for (let index = 0; index < block; index += 1) times.push(await measureWholeMs(target));
  return times;
};

export const PLAIN_PROXY = 'a proxy that only forwards';

export type OverheadOptions = {
  readonly goal?: number;
  /** The compared figure of the times; absent: the median. */
  readonly figure?: (times: readonly number[]) => number;
};

/** One row for the relay and one for the plain proxy: the time that each adds to a direct call. */
export function buildOverheadRows(
  label: string,
  times: Times,
  { goal, figure = median }: OverheadOptions = {},
): BenchRow[] {
  const addedTime = (name: keyof Times) => figure(times[name]) - figure(times.direct);
  const ratio = addedTime('relay') / addedTime('bareProxy');
  return (['relay', 'bareProxy'] as const).map((name) => ({
    name: `${name === 'relay' ? name : PLAIN_PROXY}, ${label}`,
    value: addedTime(name),
    unit: 'ms',
    ...(name === 'relay' && goal !== undefined && { goal: { atMost: goal } }),
    note:
      `${figure(times[name]).toFixed(3)} against ${figure(times.direct).toFixed(3)} ms directly, ` +
      `${times[name].length}${name === 'relay' ? `; ${ratio.toFixed(2)} × the plain proxy` : ''}`,
  }));
}

export const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
