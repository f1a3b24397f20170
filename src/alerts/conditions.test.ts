// Each condition of the table of alerts: its threshold to raise, what does not raise it, and the
// lower threshold to clear.
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
  refusedUpstreams: [],
  pricesBelowCost: [],
  upstreamUsage: [],
};

type Change = {
  readonly source?: Partial<SourceEvidence>;
  readonly installation?: Partial<InstallationEvidence>;
} & Partial<Pick<AlertEvidence, 'freeDisk' | 'oldestJobMs' | 'model' | 'startedAt'>>;

const evidenceOf = ({ source: ofSource = {}, installation: ofAll = {}, ...others }: Change) => {
  const defaults = { freeDisk: 0.5, startedAt: now - DAY, oldestJobMs: null, model: null };
  const rows = {
    now,
    sources: [Object.assign({}, source, ofSource)],
    installation: Object.assign({}, installation, ofAll),
  };
  return Object.assign(rows, defaults, others) satisfies AlertEvidence;
};

const keysOf = (change: Change, raised: readonly string[] = []) =>
  findConditions(evidenceOf(change), (key) => raised.includes(key)).map(
    ({ key, severity }) => `${key}: ${severity}`,
  );

const key = (text: string) => text.slice(0, text.lastIndexOf(':'));

test('an installation without a fault has no alert', () => {
  expect(keysOf({})).toEqual([]);
});

type Row = {
  readonly alert: string;
  /** A value over the threshold to raise. */
  readonly raises: Change;
  /** A value just below the threshold to raise. */
  readonly fine: Change;
  /** A value between the two thresholds; absent: the thresholds are equal. */
  readonly lasts?: Change;
};

const usage = (share: number) => ({ installation: { upstreamUsage: [{ upstream: 'up', share }] } });

const rows: readonly Row[] = [
  {
    alert: 'source_broken press: warn',
    raises: { source: { failures: 9, lastSuccessAt: now - 6 * HOUR - 1 } },
    fine: { source: { failures: 9, lastSuccessAt: now - 6 * HOUR } },
  },
  {
    alert: 'source_broken press: warn',
    raises: {
      source: { failures: 9, intervalMinutes: 180, lastSuccessAt: now - 9 * HOUR - 1 },
    },
    fine: { source: { failures: 9, intervalMinutes: 180, lastSuccessAt: now - 9 * HOUR } },
  },
  {
    alert: 'source_gone press: warn',
    raises: { source: { status: 'gone' } },
    fine: { source: { status: 'paused' } },
  },
  {
    alert: 'source_silent press: warn',
    raises: { source: { newestItemAt: now - 100 * HOUR - 1 } },
    fine: { source: { newestItemAt: now - 100 * HOUR } },
  },
  {
    alert: 'source_silent press: warn',
    raises: { source: { gapMs: HOUR, newestItemAt: now - 3 * DAY - 1 } },
    fine: { source: { gapMs: HOUR, newestItemAt: now - 3 * DAY } },
  },
  {
    alert: 'source_slow press: warn',
    raises: { source: { lagMs: HOUR, lagDayMs: 3 * HOUR + 1 } },
    fine: { source: { lagMs: HOUR, lagDayMs: 3 * HOUR } },
    lasts: { source: { lagMs: HOUR, lagDayMs: 2 * HOUR + 1 } },
  },
  {
    alert: 'all_sources_out: page',
    raises: { installation: { failedFetches: 32 } },
    fine: { installation: { failedFetches: 31 } },
    lasts: { installation: { failedFetches: 21 } },
  },
  {
    alert: 'nothing_published: page',
    raises: { installation: { newestPublicAt: now - 4 * HOUR - 1 } },
    fine: { installation: { newestPublicAt: now - 4 * HOUR } },
    lasts: { installation: { newestPublicAt: now - 2 * HOUR - 1 } },
  },
  {
    alert: 'nothing_published: page',
    raises: { installation: { publicGapMs: 10 * HOUR, newestPublicAt: now - DAY - 1 } },
    fine: { installation: { publicGapMs: 10 * HOUR, newestPublicAt: now - DAY } },
  },
  {
    alert: 'worker: page',
    raises: { installation: { workerTickAt: now - 5 * MINUTE - 1 } },
    fine: { installation: { workerTickAt: now - 5 * MINUTE } },
    lasts: { installation: { workerTickAt: now - 2 * MINUTE - 1 } },
  },
  {
    alert: 'ranking: page',
    raises: { installation: { rankedAt: now - 30 * MINUTE - 1 } },
    fine: { installation: { rankedAt: now - 30 * MINUTE } },
    lasts: { installation: { rankedAt: now - 10 * MINUTE - 1 } },
  },
  {
    alert: 'queue: page',
    raises: { oldestJobMs: 15 * MINUTE + 1 },
    fine: { oldestJobMs: 15 * MINUTE },
    lasts: { oldestJobMs: 5 * MINUTE + 1 },
  },
  {
    alert: 'read_model: page',
    raises: { installation: { unseenSince: now - 6 * MINUTE - 1 } },
    fine: { installation: { unseenSince: now - 6 * MINUTE } },
    lasts: { installation: { unseenSince: now - MINUTE - 1 } },
  },
  {
    alert: 'disk warn: warn',
    raises: { freeDisk: 0.19 },
    fine: { freeDisk: 0.21 },
    lasts: { freeDisk: 0.21 },
  },
  { alert: 'disk page: page', raises: { freeDisk: 0.09 }, fine: { freeDisk: 0.25 } },
  {
    alert: 'model_budget gpt day: warn',
    raises: { model: { spentBudgets: [{ model: 'gpt', span: 'day' }], lostReplies: 0 } },
    fine: { model: { spentBudgets: [], lostReplies: 0 } },
  },
  {
    alert: 'model_replies: warn',
    raises: { model: { spentBudgets: [], lostReplies: 1 } },
    fine: { model: { spentBudgets: [], lostReplies: 0 } },
  },
  {
    alert: 'ledger_check page: page',
    raises: { installation: { isLedgerFine: false } },
    fine: { installation: { isLedgerFine: true } },
  },
  {
    alert: 'ledger_check warn: warn',
    raises: { installation: { ledgerCheckedAt: now - 2 * DAY - 1 } },
    fine: { installation: { ledgerCheckedAt: now - 2 * DAY } },
  },
  {
    alert: 'backup: warn',
    raises: { installation: { backupError: 'no space left' } },
    fine: { installation: { backupAt: null } },
  },
  {
    alert: 'backup: warn',
    raises: { installation: { backupAt: now - 26 * HOUR - 1 } },
    fine: { installation: { backupAt: now - 26 * HOUR } },
  },
  {
    alert: 'earlier_database: page',
    raises: { installation: { earlierDatabaseAt: now - DAY } },
    fine: { installation: { earlierDatabaseAt: now - DAY - 1 } },
  },
  {
    alert: 'upstream_account up: page',
    raises: { installation: { refusedUpstreams: ['up'] } },
    fine: { installation: { refusedUpstreams: [] } },
  },
  {
    alert: 'negative_margin gpt: warn',
    raises: { installation: { pricesBelowCost: [{ model: 'gpt', percent: 12 }] } },
    fine: { installation: { pricesBelowCost: [] } },
  },
  { alert: 'usage_absent up: warn', raises: usage(0.011), fine: usage(0.01), lasts: usage(0.006) },
  {
    alert: 'channel_broken chn_1: warn',
    raises: { installation: { brokenChannels: [{ id: 'chn_1', name: 'Newsroom' }] } },
    fine: { installation: { brokenChannels: [] } },
  },
  {
    alert: 'dead_letters: warn',
    raises: { installation: { deadLetters: 6 } },
    fine: { installation: { deadLetters: 5 } },
    lasts: { installation: { deadLetters: 3 } },
  },
];

test.each(rows)('$alert is raised over its threshold only', ({ alert, raises, fine, lasts }) => {
  expect(keysOf(raises)).toEqual([alert]);
  expect(keysOf(fine)).toEqual([]);
  if (lasts !== undefined) expect(keysOf(lasts, [key(alert)])).toEqual([alert]);
});

test('a process that has just begun does not report an old tick', () => {
  const old = { installation: { workerTickAt: now - HOUR } };
  expect(keysOf({ ...old, startedAt: now - MINUTE })).toEqual([]);
  expect(keysOf({ ...old, startedAt: now - 6 * MINUTE })).toEqual(['worker: page']);
});

test('an alert about the worker lasts until the next tick, also after a restart', () => {
  const old = { installation: { workerTickAt: now - HOUR } };
  expect(keysOf({ ...old, startedAt: now - MINUTE }, ['worker'])).toEqual(['worker: page']);
});
