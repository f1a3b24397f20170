// For each alert: a value that raises it, a value that does not, and a value that only keeps it
// raised.
import { expect, test } from 'vitest';
import type {
  InstallationEvidence,
  SourceEvidence,
} from '../store/notifications/alert-evidence.ts';
import { type AlertEvidence, findConditions } from './conditions.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = Date.parse('2026-11-24T12:00:00Z');

const source: SourceEvidence = {
  id: 'press',
  name: 'The press',
  host: 'feeds.example',
  status: 'active',
  kind: 'feed',
  intervalMinutes: 60,
  failures: 0,
  addedAt: now - 90 * DAY,
  lastSuccessAt: now - HOUR,
  newestItemAt: now - HOUR,
  gapMs: 20 * HOUR,
  lagDayMs: 10 * MINUTE,
  lagMs: 10 * MINUTE,
};

const installation: InstallationEvidence = {
  fetches: 40,
  failedFetches: 0,
  newestPublicAt: now - HOUR,
  publicGapMs: HOUR,
  rankedAt: now - 5 * MINUTE,
  unseenSince: null,
  brokenChannels: [],
  deadLetters: 0,
  ledgerCheckedAt: now - HOUR,
  isLedgerFine: true,
  workerTickAt: now - MINUTE,
  backupAt: now - HOUR,
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
  const defaults = { freeDisk: 0.5, startedAt: now - DAY, oldestJobMs: null, model: null };
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
  /** A value just below the threshold to raise. */
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
    aboveThreshold: { source: { failures: 9, lastSuccessAt: now - 6 * HOUR - 1 } },
    belowThreshold: { source: { failures: 9, lastSuccessAt: now - 6 * HOUR } },
  },
  {
    alert: 'source_broken press: warn',
    aboveThreshold: {
      source: { failures: 9, intervalMinutes: 180, lastSuccessAt: now - 9 * HOUR - 1 },
    },
    belowThreshold: {
      source: { failures: 9, intervalMinutes: 180, lastSuccessAt: now - 9 * HOUR },
    },
  },
  {
    alert: 'source_gone press: warn',
    aboveThreshold: { source: { status: 'gone' } },
    belowThreshold: { source: { status: 'paused' } },
  },
  {
    alert: 'source_silent press: warn',
    aboveThreshold: { source: { newestItemAt: now - 100 * HOUR - 1 } },
    belowThreshold: { source: { newestItemAt: now - 100 * HOUR } },
  },
  {
    alert: 'source_silent press: warn',
    aboveThreshold: { source: { gapMs: HOUR, newestItemAt: now - 3 * DAY - 1 } },
    belowThreshold: { source: { gapMs: HOUR, newestItemAt: now - 3 * DAY } },
  },
  {
    alert: 'source_slow press: warn',
    aboveThreshold: { source: { lagMs: HOUR, lagDayMs: 3 * HOUR + 1 } },
    belowThreshold: { source: { lagMs: HOUR, lagDayMs: 3 * HOUR } },
    betweenThresholds: { source: { lagMs: HOUR, lagDayMs: 2 * HOUR + 1 } },
  },
  {
    alert: 'all_sources_out: page',
    aboveThreshold: { installation: { failedFetches: 32 } },
    belowThreshold: { installation: { failedFetches: 31 } },
    betweenThresholds: { installation: { failedFetches: 21 } },
  },
  {
    alert: 'nothing_published: page',
    aboveThreshold: { installation: { newestPublicAt: now - 4 * HOUR - 1 } },
    belowThreshold: { installation: { newestPublicAt: now - 4 * HOUR } },
    betweenThresholds: { installation: { newestPublicAt: now - 2 * HOUR - 1 } },
  },
  {
    alert: 'nothing_published: page',
    aboveThreshold: { installation: { publicGapMs: 10 * HOUR, newestPublicAt: now - DAY - 1 } },
    belowThreshold: { installation: { publicGapMs: 10 * HOUR, newestPublicAt: now - DAY } },
  },
  {
    alert: 'worker: page',
    aboveThreshold: { installation: { workerTickAt: now - 5 * MINUTE - 1 } },
    belowThreshold: { installation: { workerTickAt: now - 5 * MINUTE } },
    betweenThresholds: { installation: { workerTickAt: now - 2 * MINUTE - 1 } },
  },
  {
    alert: 'ranking: page',
    aboveThreshold: { installation: { rankedAt: now - 30 * MINUTE - 1 } },
    belowThreshold: { installation: { rankedAt: now - 30 * MINUTE } },
    betweenThresholds: { installation: { rankedAt: now - 10 * MINUTE - 1 } },
  },
  {
    alert: 'queue: page',
    aboveThreshold: { oldestJobMs: 15 * MINUTE + 1 },
    belowThreshold: { oldestJobMs: 15 * MINUTE },
    betweenThresholds: { oldestJobMs: 5 * MINUTE + 1 },
  },
  {
    alert: 'read_model: page',
    aboveThreshold: { installation: { unseenSince: now - 6 * MINUTE - 1 } },
    belowThreshold: { installation: { unseenSince: now - 6 * MINUTE } },
    betweenThresholds: { installation: { unseenSince: now - MINUTE - 1 } },
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
    aboveThreshold: { installation: { isLedgerFine: false } },
    belowThreshold: { installation: { isLedgerFine: true } },
  },
  {
    alert: 'ledger_check warn: warn',
    aboveThreshold: { installation: { ledgerCheckedAt: now - 2 * DAY - 1 } },
    belowThreshold: { installation: { ledgerCheckedAt: now - 2 * DAY } },
  },
  {
    alert: 'backup: warn',
    aboveThreshold: { installation: { backupError: 'no space left' } },
    belowThreshold: { installation: { backupAt: null } },
  },
  {
    alert: 'backup: warn',
    aboveThreshold: { installation: { backupAt: now - 26 * HOUR - 1 } },
    belowThreshold: { installation: { backupAt: now - 26 * HOUR } },
  },
  {
    alert: 'earlier_database: page',
    aboveThreshold: { installation: { earlierDatabaseAt: now - DAY } },
    belowThreshold: { installation: { earlierDatabaseAt: now - DAY - 1 } },
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
  const oldTick = { installation: { workerTickAt: now - HOUR } };
  expect(findAlerts({ ...oldTick, startedAt: now - MINUTE })).toEqual([]);
  expect(findAlerts({ ...oldTick, startedAt: now - 6 * MINUTE })).toEqual(['worker: page']);
});

test('an alert about the worker lasts until the next worker tick, also after a restart', () => {
  const oldTick = { installation: { workerTickAt: now - HOUR } };
  expect(findAlerts({ ...oldTick, startedAt: now - MINUTE }, ['worker'])).toEqual(['worker: page']);
});
