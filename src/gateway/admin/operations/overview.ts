// Renders the overview page: problems that need an operator, current figures and latest changes.

import { type Html, html } from '../../../kernel/html/html.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { listAuditLines } from '../../../operators/audit-log.ts';
import { countAccountsByStatus } from '../../accounts/find-accounts.ts';
import { listPrices } from '../../calls/plan-prices.ts';
import { listProviderReports } from '../../capabilities/provider-reports.ts';
import { listSwitches } from '../../capabilities/switches.ts';
import { type CapToday, readCap } from '../../wallet/credits/allowance-cap.ts';
import {
  findLastIntegrityCheck,
  type IntegrityCheck,
} from '../../wallet/integrity/check-ledger.ts';
import { type LedgerMetrics, readLedgerMetrics } from '../../wallet/integrity/ledger-metrics.ts';
import { countTopUpTroubles } from '../../wallet/top-ups/list-top-ups.ts';
import type { GatewayAdminContext, GatewayAdminResponse } from '../admin-context.ts';
import { renderLinesTable } from '../audit.ts';
import { auditKinds } from '../audit-kinds.ts';
import { type Fact, renderFacts } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { recordMessages } from '../messages/record.ts';
import { formatYuan } from '../money/format-money.ts';
import { listCapabilities } from './providers.ts';

const SHOWN_LINES = 8;
/** The key in the ledger's metrics for calls that are held for 30 minutes or more. */
const LONG_HELD_MINUTES = '30';
const OLD_CHECK_MS = 48 * HOUR_MS;

export async function overviewPage(context: GatewayAdminContext): Promise<GatewayAdminResponse> {
  const { world, db, site } = context;
  const messages = adminMessages(site.language);
  const figures = await readLedgerMetrics(db);
  const lastCheck = await findLastIntegrityCheck(db);
  const cap = await readCap(world, db);
  const tasks = await listPendingTasks(context, { figures, lastCheck, cap });
  const filter = { kinds: auditKinds, subject: null, limit: SHOWN_LINES, skip: 0 };
  const lines = await listAuditLines(db, filter);
  return {
    kind: 'page',
    title: messages.sections.overview,
    section: 'overview',
    main: html`${renderPageHead(messages.overviewTitle, null)}
<div class="two wide-side"><div>
<section><h2 class="side">${messages.needsAttention}</h2>
${
  tasks.length === 0
    ? html`<p class="positive">${messages.nothingNeeded}</p>`
    : html`<ul class="needs">${tasks.map(
        ({ text, href }) => html`<li><a href="${href}">${text}</a></li>
`,
      )}</ul>`
}</section>
<section class="part"><h2 class="side">${messages.lastChanges}</h2>
${
  lines.length === 0
    ? html`<p class="empty">${messages.noAudit}</p>`
    : html`${await renderLinesTable(context, lines, true)}
<p class="more"><a class="link" href="/admin/audit">${messages.wholeAuditLog} →</a></p>`
}</section></div>
<aside><h2 class="side">${messages.currentState}</h2>
${await renderCurrentState(context, { figures, lastCheck, cap })}</aside></div>`,
  };
}

type OverviewFigures = {
  readonly figures: LedgerMetrics | null;
  readonly lastCheck: IntegrityCheck | null;
  readonly cap: CapToday;
};

type PendingTask = { readonly text: string; readonly href: string };

async function listPendingTasks(
  context: GatewayAdminContext,
  { figures, lastCheck, cap }: OverviewFigures,
): Promise<readonly PendingTask[]> {
  const { world, db, site } = context;
  const messages = adminMessages(site.language);
  const tasks: PendingTask[] = [];
  const brokenCount = lastCheck?.results.filter((result) => result.broken > 0).length ?? 0;
  if (brokenCount > 0)
    tasks.push({ text: messages.someBroken(brokenCount), href: '/admin/ledger' });
  const checkedAt = lastCheck?.finishedAt ?? null;
  if (checkedAt === null) {
    tasks.push({ text: recordMessages(site.language).neverChecked, href: '/admin/ledger' });
  }
  const isOutdated = checkedAt !== null && world.clock.now() - checkedAt > OLD_CHECK_MS;
  if (isOutdated) tasks.push({ text: messages.checkIsOld, href: '/admin/ledger' });
  const heldCount = figures?.holds?.[LONG_HELD_MINUTES] ?? 0;
  if (heldCount > 0) tasks.push({ text: messages.longHolds(heldCount), href: '/admin/ledger' });
  const unconfigured = (await listCapabilities(context)).filter(({ missing }) => missing !== null);
  if (unconfigured.length > 0) {
    const names = unconfigured
      .map(({ name }) => name)
      .join(site.language === 'zh-CN' ? '、' : ', ');
    tasks.push({ text: messages.notSetUp(names), href: '/admin/providers' });
  }
  for (const { name, isOff } of await listSwitches(db)) {
    if (isOff) tasks.push({ text: messages.offNow(name), href: '/admin/providers' });
  }
  const pausedProviders = (await listProviderReports(world, db)).filter(
    ({ health }) => health.circuit === 'open' || health.circuit === 'half_open',
  );
  for (const name of new Set(pausedProviders.map(({ health }) => health.name))) {
    tasks.push({ text: messages.pausedNow(name), href: '/admin/providers' });
  }
  const { count: troubleCount } = await countTopUpTroubles(db);
  if (troubleCount > 0) {
    tasks.push({
      text: messages.topUpNeedsYou(troubleCount),
      href: '/admin/top-ups?show=troubled',
    });
  }
  if (cap.isReached) tasks.push({ text: messages.capReached, href: '/admin/prices' });
  return tasks;
}

async function renderCurrentState(
  context: GatewayAdminContext,
  { figures, lastCheck, cap }: OverviewFigures,
): Promise<Html> {
  const { world, db, site, calls } = context;
  const messages = adminMessages(site.language);
  const counts = await countAccountsByStatus(db);
  const currentPrices = await calls.prices.current();
  const now = world.clock.now();
  const nextList = (await listPrices(db))
    .filter(({ withdrawnAt, startsAt }) => withdrawnAt === null && startsAt > now)
    .toSorted((a, b) => a.startsAt - b.startsAt)[0];
  const captured = figures?.captured;
  const chargedTotal = captured ? captured.allowance + captured.voucher + captured.cash : 0n;
  const openJobs = (figures?.jobs.queued ?? 0) + (figures?.jobs.running ?? 0);
  const checkedAt = lastCheck?.finishedAt ?? null;
  const ledgerState =
    checkedAt === null
      ? messages.neverChecked
      : html`<span class="${lastCheck?.isIntact ? 'positive' : 'negative'}">\
${lastCheck?.isIntact ? messages.isIntact : messages.isBroken}</span> \
${renderDateTime({ site, world }, checkedAt)}`;
  const unconfiguredNames = (await listCapabilities(context))
    .filter((capability) => capability.missing !== null)
    .map(({ name }) => name);
  const facts: readonly Fact[] = [
    [messages.sections.accounts, messages.accountsAbout(counts)],
    [messages.ledgerChecked, ledgerState],
    [messages.chargedSoFar, formatYuan(chargedTotal)],
    [
      messages.givenToday,
      cap.amount === null
        ? formatYuan(cap.grantedToday)
        : messages.of(formatYuan(cap.grantedToday), formatYuan(cap.amount)),
    ],
    [messages.pricesOf, messages.version(currentPrices.version)],
    ...(nextList === undefined
      ? []
      : ([
          [
            messages.nextPrices,
            html`${messages.version(nextList.version)}, \
${renderDateTime({ site, world }, nextList.startsAt)}`,
          ],
        ] as const)),
    [messages.jobsOpen, openJobs],
    ...(unconfiguredNames.length === 0
      ? []
      : ([[recordMessages(site.language).notSetUp, unconfiguredNames.join(' · ')]] as const)),
  ];
  return renderFacts(facts);
}
