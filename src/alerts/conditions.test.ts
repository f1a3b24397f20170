// For each alert: a value that raises it, a value that does not, and a value that only keeps it
// raised.

import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kernel/time/durations.ts';
import type {
  InstallationEvidence,
  SourceEvidence,
} from '../store/notifications/alert-evidence.ts';
import { type AlertEvidence, findConditions } from './conditions.ts';

const now = Date.parse('2026-11-24T12:00:00Z');

const source: SourceEvidence = {
  id: 'press',
  name: 'The press',
  host: 'feeds.example',
  status: 'active',
  kind: 'feed',
  intervalMinutes: 60,
  failures: 0,
  addedAt: now - 90 * DAY_MS,
  lastSuccessAt: now - HOUR_MS,
  newestItemAt: now - HOUR_MS,
  gapMs: 20 * HOUR_MS,
  lagDayMs: 10 * MINUTE_MS,
  lagMs: 10 * MINUTE_MS,
};

const installation: InstallationEvidence = {
  fetches: 40,
  failedFetches: 0,
  newestPublicAt: now - HOUR_MS,
  publicGapMs: HOUR_MS,
  rankedAt: now - 5 * MINUTE_MS,
  unseenSince: null,
  brokenChannels: [],
  deadLetters: 0,
  ledgerCheckedAt: now - HOUR_MS,
  isLedgerIntact: true,
  workerTickAt: now - MINUTE_MS,
  backupAt: now - HOUR_MS,
  backupError: null,
  earlierDatabaseAt: null,
  refusingUpstreams: [],
  pricesBelowCost: [],
  upstreamUsage: [],
};

type Change = {
  readonly source?: Partial<SourceEvidence>;
  readonly installation?: Partial<InstallationEvidence>;
} & Partial<Pick<AlertEvidence, 'freeDisk' | 'oldestJobMs' | 'model' | 'startedAt'>>;

const createEvidence = ({
  source: sourceChange = {},
  installation: installationChange = {},
  ...otherEvidence
}: Change) => {
  const defaults = { freeDisk: 0.5, startedAt: now - DAY_MS, oldestJobMs: null, model: null };
  const rows = {
    now,
    sources: [Object.assign({}, source, sourceChange)],
    installation: Object.assign({}, installation, installationChange),
  };
  return Object.assign(rows, defaults, otherEvidence) satisfies AlertEvidence;
};

const findAlerts = (change: Change, raised: readonly string[] = []) =>
  findConditions(createEvidence(change), (key) => raised.includes(key)).map(
    ({ key, severity }) => `${key}: ${severity}`,
  );

const readAlertKey = (text: string) => text.slice(0, text.lastIndexOf(':'));

test('an installation without a fault has no alert', () => {
  expect(findAlerts({})).toEqual([]);
});

type ThresholdCase = {
  readonly alert: string;
  /** A value over the threshold to raise. */
  readonly aboveThreshold: Change;
  /** A value that does not raise this alert. */
  readonly belowThreshold: Change;
  /** A value between the two thresholds, if the case has one. */
  readonly betweenThresholds?: Change;
};

const usageShare = (share: number) => ({
  installation: { upstreamUsage: [{ upstream: 'up', share }] },
});

const rows: readonly ThresholdCase[] = [
  {
    alert: 'source_broken press: warn',
    aboveThreshold: { source: { failures: 9, lastSuccessAt: now - 6 * HOUR_MS - 1 } },
    belowThreshold: { source: { failures: 9, lastSuccessAt: now - 6 * HOUR_MS } },
  },
  {
    alert: 'source_broken press: warn',
    aboveThreshold: {
      source: { failures: 9, intervalMinutes: 180, lastSuccessAt: now - 9 * HOUR_MS - 1 },
    },
    belowThreshold: {
      source: { failures: 9, intervalMinutes: 180, lastSuccessAt: now - 9 * HOUR_MS },
    },
  },
  {
    alert: 'source_gone press: warn',
    aboveThreshold: { source: { status: 'gone' } },
    belowThreshold: { source: { status: 'paused' } },
  },
  {
    alert: 'source_silent press: warn',
    aboveThreshold: { source: { newestItemAt: now - 100 * HOUR_MS - 1 } },
    belowThreshold: { source: { newestItemAt: now - 100 * HOUR_MS } },
  },
  {
    alert: 'source_silent press: warn',
    aboveThreshold: { source: { gapMs: HOUR_MS, newestItemAt: now - 3 * DAY_MS - 1 } },
    belowThreshold: { source: { gapMs: HOUR_MS, newestItemAt: now - 3 * DAY_MS } },
  },
  {
    alert: 'source_slow press: warn',
    aboveThreshold: { source: { lagMs: HOUR_MS, lagDayMs: 3 * HOUR_MS + 1 } },
    belowThreshold: { source: { lagMs: HOUR_MS, lagDayMs: 3 * HOUR_MS } },
    betweenThresholds: { source: { lagMs: HOUR_MS, lagDayMs: 2 * HOUR_MS + 1 } },
  },
  {
    alert: 'all_sources_out: page',
    aboveThreshold: { installation: { failedFetches: 32 } },
    belowThreshold: { installation: { failedFetches: 31 } },
    betweenThresholds: { installation: { failedFetches: 21 } },
  },
  {
    alert: 'nothing_published: page',
    aboveThreshold: { installation: { newestPublicAt: now - 4 * HOUR_MS - 1 } },
    belowThreshold: { installation: { newestPublicAt: now - 4 * HOUR_MS } },
    betweenThresholds: { installation: { newestPublicAt: now - 2 * HOUR_MS - 1 } },
  },
  {
    alert: 'nothing_published: page',
    aboveThreshold: {
      installation: { publicGapMs: 10 * HOUR_MS, newestPublicAt: now - DAY_MS - 1 },
    },
    belowThreshold: { installation: { publicGapMs: 10 * HOUR_MS, newestPublicAt: now - DAY_MS } },
  },
  {
    alert: 'worker: page',
    aboveThreshold: { installation: { workerTickAt: now - 5 * MINUTE_MS - 1 } },
    belowThreshold: { installation: { workerTickAt: now - 5 * MINUTE_MS } },
    betweenThresholds: { installation: { workerTickAt: now - 2 * MINUTE_MS - 1 } },
  },
  {
    alert: 'ranking: page',
    aboveThreshold: { installation: { rankedAt: now - 30 * MINUTE_MS - 1 } },
    belowThreshold: { installation: { rankedAt: now - 30 * MINUTE_MS } },
    betweenThresholds: { installation: { rankedAt: now - 10 * MINUTE_MS - 1 } },
  },
  {
    alert: 'queue: page',
    aboveThreshold: { oldestJobMs: 15 * MINUTE_MS + 1 },
    belowThreshold: { oldestJobMs: 15 * MINUTE_MS },
    betweenThresholds: { oldestJobMs: 5 * MINUTE_MS + 1 },
  },
  {
    alert: 'read_model: page',
    aboveThreshold: { installation: { unseenSince: now - 6 * MINUTE_MS - 1 } },
    belowThreshold: { installation: { unseenSince: now - 6 * MINUTE_MS } },
    betweenThresholds: { installation: { unseenSince: now - MINUTE_MS - 1 } },
  },
  {
    alert: 'disk warn: warn',
    aboveThreshold: { freeDisk: 0.19 },
    belowThreshold: { freeDisk: 0.21 },
    betweenThresholds: { freeDisk: 0.21 },
  },
  {
    alert: 'disk page: page',
    aboveThreshold: { freeDisk: 0.09 },
    belowThreshold: { freeDisk: 0.25 },
  },
  {
    alert: 'model_budget gpt day: warn',
    aboveThreshold: { model: { spentBudgets: [{ model: 'gpt', span: 'day' }], lostReplies: 0 } },
    belowThreshold: { model: { spentBudgets: [], lostReplies: 0 } },
  },
  {
    alert: 'model_replies: warn',
    aboveThreshold: { model: { spentBudgets: [], lostReplies: 1 } },
    belowThreshold: { model: { spentBudgets: [], lostReplies: 0 } },
  },
  {
    alert: 'ledger_check page: page',
    aboveThreshold: { installation: { isLedgerIntact: false } },
    belowThreshold: { installation: { isLedgerIntact: true } },
  },
  {
    alert: 'ledger_check warn: warn',
    aboveThreshold: { installation: { ledgerCheckedAt: now - 2 * DAY_MS - 1 } },
    belowThreshold: { installation: { ledgerCheckedAt: now - 2 * DAY_MS } },
  },
  {
    alert: 'backup: warn',
    aboveThreshold: { installation: { backupError: 'no space left' } },
    belowThreshold: { installation: { backupAt: null } },
  },
  {
    alert: 'backup: warn',
    aboveThreshold: { installation: { backupAt: now - 26 * HOUR_MS - 1 } },
    belowThreshold: { installation: { backupAt: now - 26 * HOUR_MS } },
  },
  {
    alert: 'earlier_database: page',
    aboveThreshold: { installation: { earlierDatabaseAt: now - DAY_MS } },
    belowThreshold: { installation: { earlierDatabaseAt: now - DAY_MS - 1 } },
  },
  {
    alert: 'upstream_account up: page',
    aboveThreshold: { installation: { refusingUpstreams: ['up'] } },
    belowThreshold: { installation: { refusingUpstreams: [] } },
  },
  {
    alert: 'negative_margin gpt: warn',
    aboveThreshold: { installation: { pricesBelowCost: [{ model: 'gpt', percent: 12 }] } },
    belowThreshold: { installation: { pricesBelowCost: [] } },
  },
  {
    alert: 'usage_absent up: warn',
    aboveThreshold: usageShare(0.011),
    belowThreshold: usageShare(0.01),
    betweenThresholds: usageShare(0.006),
  },
  {
    alert: 'channel_broken chn_1: warn',
    aboveThreshold: { installation: { brokenChannels: [{ id: 'chn_1', name: 'Newsroom' }] } },
    belowThreshold: { installation: { brokenChannels: [] } },
  },
  {
    alert: 'dead_letters: warn',
    aboveThreshold: { installation: { deadLetters: 6 } },
    belowThreshold: { installation: { deadLetters: 5 } },
    betweenThresholds: { installation: { deadLetters: 3 } },
  },
];

test.each(rows)(
  '$alert is raised over its threshold only',
  ({ alert, aboveThreshold, belowThreshold, betweenThresholds }) => {
    expect(findAlerts(aboveThreshold)).toEqual([alert]);
    expect(findAlerts(belowThreshold)).toEqual([]);
    if (betweenThresholds !== undefined)
      expect(findAlerts(betweenThresholds, [readAlertKey(alert)])).toEqual([alert]);
  },
);

test('a process that has just started raises no alert about an old worker tick', () => {
  const oldTick = { installation: { workerTickAt: now - HOUR_MS } };
  expect(findAlerts({ ...oldTick, startedAt: now - MINUTE_MS })).toEqual([]);
  expect(findAlerts({ ...oldTick, startedAt: now - 6 * MINUTE_MS })).toEqual(['worker: page']);
});

test('an alert about the worker lasts until the next worker tick, also after a restart', () => {
  const oldTick = { installation: { workerTickAt: now - HOUR_MS } };
  expect(findAlerts({ ...oldTick, startedAt: now - MINUTE_MS }, ['worker'])).toEqual([
    'worker: page',
  ]);
});
