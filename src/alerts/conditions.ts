// Conditions that require an operator, as pure functions of stored rows. Most conditions have a
// threshold to raise the alert and a lower threshold to clear the alert. Small changes of a value
// therefore do not raise and clear an alert repeatedly.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kernel/time/durations.ts';
import type {
  InstallationEvidence,
  SourceEvidence,
} from '../store/notifications/alert-evidence.ts';
import type { AlertSeverity } from '../store/schema/notifications.ts';

export type ConditionName =
  | 'source_broken'
  | 'source_gone'
  | 'source_silent'
  | 'source_slow'
  | 'all_sources_out'
  | 'nothing_published'
  | 'worker'
  | 'ranking'
  | 'queue'
  | 'read_model'
  | 'disk'
  | 'model_budget'
  | 'model_replies'
  | 'ledger_check'
  | 'backup'
  | 'earlier_database'
  | 'upstream_account'
  | 'negative_margin'
  | 'usage_absent'
  | 'channel_broken'
  | 'dead_letters';

export type AlertFinding = {
  readonly condition: ConditionName;
  /** The condition and its subject, such as a source. */
  readonly key: string;
  readonly severity: AlertSeverity;
  /** Names and numbers for the text. */
  readonly facts: Readonly<Record<string, string | number>>;
};

/** The state that the pages about models show. */
export type ModelEvidence = {
  /** Budgets without a remainder. `span` is the period, such as `day`. */
  readonly spentBudgets: readonly { readonly model: string; readonly span: string }[];
  /** Requests whose reply was lost, so that their cost is unknown. */
  readonly lostReplies: number;
};

export type AlertEvidence = {
  /** Epoch milliseconds, like all instants here. */
  readonly now: number;
  readonly sources: readonly SourceEvidence[];
  readonly installation: InstallationEvidence;
  /** Free share of the disk of an embedded database; null: the database is on a server. */
  readonly freeDisk: number | null;
  /** Start of this process. An old tick raises no alert until the process has run for a while. */
  readonly startedAt: number;
  /** Age of the oldest waiting job, ms; null: no job waits. */
  readonly oldestJobMs: number | null;
  /** Null: no model is configured. */
  readonly model: ModelEvidence | null;
};

/** `isRaised`: the alert of this key is raised, so the lower threshold applies. */
export function findConditions(
  evidence: AlertEvidence,
  isRaised: (key: string) => boolean,
): readonly AlertFinding[] {
  const exceeds = (key: string, value: number, raise: number, clear: number) =>
    value > (isRaised(key) ? clear : raise);
  return [
    ...evidence.sources.flatMap((source) => sourceFindings(source, evidence.now, exceeds)),
    ...fetchFindings(evidence, exceeds),
    ...publicFindings(evidence, exceeds),
    ...workerFindings(evidence, exceeds, isRaised('worker')),
    ...machineFindings(evidence, exceeds),
    ...modelFindings(evidence),
    ...backupFindings(evidence),
    ...earlierDatabaseFindings(evidence),
    ...relayFindings(evidence, exceeds),
    ...deliveryFindings(evidence, exceeds),
  ];
}

/** Compares `value` with `clear` when the alert of `key` is raised, otherwise with `raise`. */
type ThresholdCheck = (key: string, value: number, raise: number, clear: number) => boolean;

function sourceFindings(
  source: SourceEvidence,
  now: number,
  exceeds: ThresholdCheck,
): readonly AlertFinding[] {
  const facts = { source: source.id, name: source.name, host: source.host };
  const finding = (condition: ConditionName, moreFacts = {}): AlertFinding => ({
    condition,
    key: `${condition} ${source.id}`,
    severity: 'warn',
    facts: { ...facts, ...moreFacts },
  });
  if (source.status === 'gone') return [finding('source_gone')];
  if (source.status !== 'active') return [];
  const findings: AlertFinding[] = [];
  if (isBroken(source, now)) findings.push(finding('source_broken', { failures: source.failures }));
  else if (isSilent(source, now, exceeds)) {
    findings.push(finding('source_silent', { hours: hoursSince(source.newestItemAt, now) }));
  }
  const { lagDayMs, lagMs } = source;
  if (lagDayMs !== null && lagMs !== null) {
    const isSlow =
      exceeds(`source_slow ${source.id}`, lagDayMs, 3 * lagMs, 2 * lagMs) && lagDayMs > HOUR_MS;
    if (isSlow) findings.push(finding('source_slow', { hours: Math.round(lagDayMs / HOUR_MS) }));
  }
  return findings;
}

/** The alert clears with the first successful fetch. */
function isBroken(source: SourceEvidence, now: number): boolean {
  if (source.kind === 'push' || source.failures === 0) return false;
  const since = source.lastSuccessAt ?? source.addedAt;
  return now - since > Math.max(6 * HOUR_MS, 3 * source.intervalMinutes * MINUTE_MS);
}

/** The alert clears with the next item. */
function isSilent(source: SourceEvidence, now: number, exceeds: ThresholdCheck): boolean {
  const { newestItemAt, gapMs } = source;
  if (newestItemAt === null || gapMs === null) return false;
  const limitMs = Math.max(3 * DAY_MS, 5 * gapMs);
  return exceeds(`source_silent ${source.id}`, now - newestItemAt, limitMs, limitMs);
}

const hoursSince = (at: number | null, now: number) => Math.round((now - (at ?? now)) / HOUR_MS);

function fetchFindings(
  { installation }: AlertEvidence,
  exceeds: ThresholdCheck,
): readonly AlertFinding[] {
  const { fetches, failedFetches } = installation;
  // A share of fewer than five fetches means little. The comparison is strict, so the threshold
  // 0.799 includes exactly 80 %.
  if (fetches < 5) return [];
  const key = 'all_sources_out';
  const share = failedFetches / fetches;
  if (!exceeds(key, share, 0.799, 0.5)) return [];
  const facts = { percent: Math.round(share * 100), fetches };
  return [{ condition: 'all_sources_out', key, severity: 'page', facts }];
}

function publicFindings({ installation, now, sources }: AlertEvidence, exceeds: ThresholdCheck) {
  const { newestPublicAt, publicGapMs, rankedAt, unseenSince } = installation;
  const findings: AlertFinding[] = [];
  if (newestPublicAt !== null && publicGapMs !== null) {
    const limitMs = Math.min(DAY_MS, Math.max(2 * HOUR_MS, 4 * publicGapMs));
    if (exceeds('nothing_published', now - newestPublicAt, limitMs, limitMs / 2)) {
      const facts = { hours: hoursSince(newestPublicAt, now) };
      findings.push({
        condition: 'nothing_published',
        key: 'nothing_published',
        severity: 'page',
        facts,
      });
    }
  }
  const hasActiveSource = sources.some(({ status }) => status === 'active');
  if (
    rankedAt !== null &&
    hasActiveSource &&
    exceeds('ranking', now - rankedAt, 30 * MINUTE_MS, 10 * MINUTE_MS)
  ) {
    const facts = { minutes: Math.round((now - rankedAt) / MINUTE_MS) };
    findings.push({ condition: 'ranking', key: 'ranking', severity: 'page', facts });
  }
  // A node has been more than 60 s behind for five minutes.
  if (unseenSince !== null && exceeds('read_model', now - unseenSince, 6 * MINUTE_MS, MINUTE_MS)) {
    const facts = { minutes: Math.round((now - unseenSince) / MINUTE_MS) };
    findings.push({ condition: 'read_model', key: 'read_model', severity: 'page', facts });
  }
  return findings;
}

/** A worker ticks every minute. Null: the last tick is recent, or no worker has ever run. */
export function workerFinding(
  {
    now,
    startedAt,
    tickAt,
  }: Pick<AlertEvidence, 'now' | 'startedAt'> & {
    readonly tickAt: number | null;
  },
  isRaised: boolean,
): AlertFinding | null {
  if (tickAt === null) return null;
  // Until the alert is raised, the time before the start of this process does not count.
  const silentMs = now - Math.max(tickAt, isRaised ? tickAt : startedAt);
  if (silentMs <= (isRaised ? 2 * MINUTE_MS : 5 * MINUTE_MS)) return null;
  const facts = { minutes: Math.round((now - tickAt) / MINUTE_MS) };
  return { condition: 'worker', key: 'worker', severity: 'page', facts };
}

function workerFindings(
  { now, startedAt, oldestJobMs, installation }: AlertEvidence,
  exceeds: ThresholdCheck,
  isRaised: boolean,
): readonly AlertFinding[] {
  const { workerTickAt: tickAt } = installation;
  const worker = workerFinding({ now, startedAt, tickAt }, isRaised);
  const findings = worker === null ? [] : [worker];
  if (oldestJobMs === null || !exceeds('queue', oldestJobMs, 15 * MINUTE_MS, 5 * MINUTE_MS))
    return findings;
  const facts = { minutes: Math.round(oldestJobMs / MINUTE_MS) };
  return [...findings, { condition: 'queue', key: 'queue', severity: 'page', facts }];
}

/**
 * The alert about a spent budget clears with the next period. A request whose reply was lost is
 * sent again later. The alert about lost replies clears when no such request waits.
 */
function modelFindings({ model }: AlertEvidence): readonly AlertFinding[] {
  if (model === null) return [];
  const findings = model.spentBudgets.map(
    (facts): AlertFinding => ({
      condition: 'model_budget',
      key: `model_budget ${facts.model} ${facts.span}`,
      severity: 'warn',
      facts,
    }),
  );
  if (model.lostReplies === 0) return findings;
  const facts = { count: model.lostReplies };
  return [
    ...findings,
    { condition: 'model_replies', key: 'model_replies', severity: 'warn', facts },
  ];
}

/** A daily backup may end two hours late. */
const MAX_BACKUP_AGE_MS = 26 * HOUR_MS;

/** An installation that has never made a backup has no alert. The next backup clears the alert. */
function backupFindings({ installation, now }: AlertEvidence): readonly AlertFinding[] {
  const { backupAt, backupError } = installation;
  const isLate = backupAt !== null && now - backupAt > MAX_BACKUP_AGE_MS;
  if (backupError === null && !isLate) return [];
  const facts =
    backupError === null ? { hours: hoursSince(backupAt, now) } : { error: backupError };
  return [{ condition: 'backup', key: 'backup', severity: 'warn', facts }];
}

/** The loss cannot be repaired, so the alert ends after one day, in which operators can react. */
function earlierDatabaseFindings({ installation, now }: AlertEvidence): readonly AlertFinding[] {
  const { earlierDatabaseAt: at } = installation;
  if (at === null || now - at > DAY_MS) return [];
  const facts = { hours: hoursSince(at, now) };
  return [{ condition: 'earlier_database', key: 'earlier_database', severity: 'page', facts }];
}

function relayFindings(
  { installation }: AlertEvidence,
  exceeds: ThresholdCheck,
): readonly AlertFinding[] {
  const accountFindings = installation.refusingUpstreams.map(
    (upstream): AlertFinding => ({
      condition: 'upstream_account',
      key: `upstream_account ${upstream}`,
      severity: 'page',
      facts: { upstream },
    }),
  );
  const marginFindings = installation.pricesBelowCost.map(
    ({ model, percent }): AlertFinding => ({
      condition: 'negative_margin',
      key: `negative_margin ${model}`,
      severity: 'warn',
      facts: { model, percent },
    }),
  );
  const usageFindings = installation.upstreamUsage.flatMap(
    ({ upstream, share }): AlertFinding[] => {
      const key = `usage_absent ${upstream}`;
      if (!exceeds(key, share, 0.01, 0.005)) return [];
      const facts = { upstream, percent: Math.round(share * 1_000) / 10 };
      return [{ condition: 'usage_absent', key, severity: 'warn', facts }];
    },
  );
  return [...accountFindings, ...marginFindings, ...usageFindings];
}

function machineFindings(
  evidence: AlertEvidence,
  exceeds: ThresholdCheck,
): readonly AlertFinding[] {
  const { freeDisk, installation, now } = evidence;
  const findings: AlertFinding[] = [];
  if (freeDisk !== null) {
    const facts = { percent: Math.round(freeDisk * 100) };
    if (exceeds('disk page', 1 - freeDisk, 0.9, 0.88)) {
      findings.push({ condition: 'disk', key: 'disk page', severity: 'page', facts });
    } else if (exceeds('disk warn', 1 - freeDisk, 0.8, 0.78)) {
      findings.push({ condition: 'disk', key: 'disk warn', severity: 'warn', facts });
    }
  }
  const { ledgerCheckedAt, isLedgerIntact } = installation;
  // An installation without a gateway has no check.
  if (ledgerCheckedAt !== null) {
    if (!isLedgerIntact) {
      const facts = { hours: 0 };
      findings.push({
        condition: 'ledger_check',
        key: 'ledger_check page',
        severity: 'page',
        facts,
      });
    } else if (now - ledgerCheckedAt > 2 * DAY_MS) {
      const facts = { hours: hoursSince(ledgerCheckedAt, now) };
      findings.push({
        condition: 'ledger_check',
        key: 'ledger_check warn',
        severity: 'warn',
        facts,
      });
    }
  }
  return findings;
}

function deliveryFindings(
  { installation }: AlertEvidence,
  exceeds: ThresholdCheck,
): readonly AlertFinding[] {
  const { brokenChannels, deadLetters } = installation;
  const brokenFindings = brokenChannels.map(
    ({ id, name }): AlertFinding => ({
      condition: 'channel_broken',
      key: `channel_broken ${id}`,
      severity: 'warn',
      facts: { channel: id, name },
    }),
  );
  if (!exceeds('dead_letters', deadLetters, 5, 2)) return brokenFindings;
  const facts = { count: deadLetters };
  return [
    ...brokenFindings,
    { condition: 'dead_letters', key: 'dead_letters', severity: 'warn', facts },
  ];
}
