// This module is loaded into the measured process (`node --import`). It records how long the event
// loop is blocked, by cause. The causes are named sections and garbage collection. Sections of one
// cause in one turn of the loop count as one block. A separate figure is the time in which the
// thread was ready and had no processor.
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import {
  constants,
  createHistogram,
  monitorEventLoopDelay,
  PerformanceObserver,
  type RecordableHistogram,
} from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import {
  SECTION_CHANNEL,
  type TimedSection,
} from '../../src/kernel/observability/timed-section.ts';

export type BlockRow = {
  readonly cause: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly totalMs: number;
};

export type BlockReport = {
  readonly rows: readonly BlockRow[];
  readonly seconds: number;
  /** Processor time of the serving thread. */
  readonly busyMs: number;
  /** The serving thread was ready to run and had no processor. */
  readonly waitedMs: number;
};

type BlockTimes = { readonly histogram: RecordableHistogram; totalMs: number };

const causes = new Map<string, BlockTimes>();
/** Milliseconds of the current turn's sections, by cause. */
const turnMs = new Map<string, number>();
const lateness = monitorEventLoopDelay({ resolution: 1 });
let startState = readScheduler();

function record(cause: string, ms: number): void {
  const recorded = causes.get(cause) ?? { histogram: createHistogram(), totalMs: 0 };
  causes.set(cause, recorded);
  recorded.histogram.record(Math.max(1, Math.round(ms * 1_000)));
  recorded.totalMs += ms;
}

/** Runs after all input callbacks of a turn, and records the turn's blocks. */
function endTurn(): void {
  for (const [cause, ms] of turnMs) record(cause, ms);
  turnMs.clear();
}

function onSection(message: unknown): void {
  const { name, start, end } = message as TimedSection;
  if (turnMs.size === 0) setImmediate(endTurn);
  turnMs.set(name, (turnMs.get(name) ?? 0) + end - start);
}

const collections: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'garbage collection: young objects',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'garbage collection: all objects',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'garbage collection: a step of marking',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'garbage collection: weak references',
};

const collector = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as unknown as { readonly detail: { readonly kind: number } }).detail;
    record(collections[kind] ?? `garbage collection: kind ${kind}`, entry.duration);
  }
});

/** Time on a processor and time in its queue. Linux writes them in nanoseconds: proc(5). */
function readScheduler() {
  const [busyMs = 0, waitedMs = 0] = readFileSync('/proc/self/schedstat', 'utf8')
    .split(' ')
    .map((nanoseconds) => Number(nanoseconds) / 1e6);
  return { at: performance.now(), busyMs, waitedMs };
}

function report(): BlockReport {
  const now = readScheduler();
  const rows = [...causes].map(([cause, { histogram, totalMs }]): BlockRow => {
    const ms = (microseconds: number) => microseconds / 1_000;
    return {
      cause,
      count: histogram.count,
      p50Ms: ms(histogram.percentile(50)),
      p99Ms: ms(histogram.percentile(99)),
      maxMs: ms(histogram.max),
      totalMs,
    };
  });
  // The monitor's timer is due every millisecond; any longer time is a delay.
  const timerDelayMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - 1);
  rows.push({
    cause: 'a timer of one millisecond was late',
    count: lateness.count,
    p50Ms: timerDelayMs(lateness.percentile(50)),
    p99Ms: timerDelayMs(lateness.percentile(99)),
    maxMs: timerDelayMs(lateness.max),
    totalMs: timerDelayMs(lateness.mean) * lateness.count,
  });
  return {
    rows,
    seconds: (now.at - startState.at) / 1_000,
    busyMs: now.busyMs - startState.busyMs,
    waitedMs: now.waitedMs - startState.waitedMs,
  };
}

// The option of the process also applies to its threads, which serve nothing.
if (isMainThread) {
  let isRecording = false;
  process.on('message', (message) => {
    if (message === 'reset') {
      if (!isRecording) {
        subscribe(SECTION_CHANNEL, onSection);
        collector.observe({ entryTypes: ['gc'] });
        isRecording = true;
      }
      causes.clear();
      lateness.reset();
      lateness.enable();
      startState = readScheduler();
    }
    if (message === 'report') process.send?.(report());
  });
  process.channel?.unref();
}
