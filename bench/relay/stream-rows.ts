// Measures streams whose hold is raised while they run, and streams that break and continue with
// another attempt.
import { type BenchRow, median } from '../row.ts';
import {
  buildOverheadRows,
  measureChunkMs,
  measureFirstByteMs,
  measureInTurns,
  percentile99,
  sendRequest,
  type Target,
  turns,
  withRelayAndProxy,
} from './targets.ts';

const STREAMS = 25;
const STREAMS_WARM_UP = 10;
const CHUNK_GOAL_MS = 0.1;

/** The hold of `bench` is small and is raised three times. The hold of `covered` is sufficient. */
export async function benchRaisedHolds(url: string, direct: Target): Promise<BenchRow[]> {
  const { raised, times } = await withRelayAndProxy(url, 'per_token', async (relay, bareProxy) => {
    const { target } = relay;
    const covered = { ...target, body: { model: 'covered', messages: turns } };
    const targets = { direct, bareProxy: bareProxy.target, relay: target, covered };
    const amounts = await readHeldAmounts(target);
    if (amounts.last <= amounts.first) throw new Error('no hold was raised');
    await measureInTurns(targets, STREAMS_WARM_UP, measureChunkMs);
    return { raised: amounts, times: await measureInTurns(targets, STREAMS, measureChunkMs) };
  });
  const [raisedHoldMs, fixedHoldMs] = [percentile99(times.relay), percentile99(times.covered)];
  const name = 'added to a chunk, p50';
  const [fixedRow] = buildOverheadRows(`charged by token, no hold is raised: ${name}`, {
    ...times,
    relay: times.covered,
  });
  return [
    ...buildOverheadRows(`a hold is raised while the stream runs: ${name}`, times, {
      goal: CHUNK_GOAL_MS,
    }),
    ...(fixedRow === undefined ? [] : [fixedRow]),
    {
      name: 'relay, a hold is raised while the stream runs: chunks, p99 beside a fixed hold',
      value: raisedHoldMs / fixedHoldMs,
      unit: '×',
      note:
        `${raisedHoldMs.toFixed(3)} against ${fixedHoldMs.toFixed(3)} ms; ` +
        `a plain proxy ${percentile99(times.bareProxy).toFixed(3)} ms; ` +
        `the hold grew from ${raised.first} to ${raised.last} CNY`,
    },
  ];
}

/** The hold of one stream in CNY: in the response headers, and in the receipt at its end. */
async function readHeldAmounts(target: Target) {
  const response = await sendRequest(target, { stream: true }, undefined, {
    'x-relay-receipt': '1',
  });
  let text = '';
  for await (const chunk of response) text += chunk;
  const [, receipt = '{}'] = /: relay-receipt (.*)\n/.exec(text) ?? [];
  const { held = '0' } = JSON.parse(receipt) as { held?: string };
  return { first: Number(response.headers['x-relay-hold']), last: Number(held) };
}

const GAPS = 100;
const GAPS_WARM_UP = 10;
const GAP_GOAL_MS = 30;

/**
 * The upstream breaks the connection in the middle of a text, and serves the next attempt at once.
 */
export async function benchSpliceGaps(url: string, direct: Target): Promise<BenchRow[]> {
  const gaps: number[] = [];
  const firstBytes = { direct: [] as number[], bareProxy: [] as number[] };
  await withRelayAndProxy(url, 'free', async (relay, bareProxy) => {
    for (let index = 0; index < GAPS_WARM_UP; index += 1) await measureGapMs(relay.target);
    for (let index = 0; index < GAPS; index += 1) {
      gaps.push(await measureGapMs(relay.target));
      firstBytes.direct.push(await measureFirstByteMs(direct));
      firstBytes.bareProxy.push(await measureFirstByteMs(bareProxy.target));
    }
  });
  const firstMs = median(firstBytes.direct);
  return [
    {
      name: 'relay: gap at a splice point beyond the first byte of the new attempt, p50',
      value: median(gaps) - firstMs,
      unit: 'ms',
      goal: { atMost: GAP_GOAL_MS },
      note:
        `gap ${median(gaps).toFixed(2)} ms, p99 ${percentile99(gaps).toFixed(2)}; first byte ` +
        `directly ${firstMs.toFixed(2)}, ` +
        `of a plain proxy ${median(firstBytes.bareProxy).toFixed(2)}`,
    },
  ];
}

/** Time between the last bytes before a break and the first bytes after it. */
async function measureGapMs(target: Target): Promise<number> {
  const response = await sendRequest(target, { stream: true, breaks: true });
  let lastByteAt = 0;
  let gapMs = Number.NaN;
  for await (const chunk of response) {
    const isContinued = String(chunk).includes(': relay-continuation');
    if (isContinued) gapMs = performance.now() - lastByteAt;
    else if (Number.isNaN(gapMs)) lastByteAt = performance.now();
  }
  if (Number.isNaN(gapMs)) throw new Error('the stream was not continued');
  return gapMs;
}
