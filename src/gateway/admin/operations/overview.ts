// Overview page: problems that need an operator, current figures and latest changes.

import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { auditLines } from '../../../operators/audit-log.ts';
import { accountCounts } from '../../accounts/find-accounts.ts';
import { listPrices } from '../../calls/plan-prices.ts';
import { listProviderReports } from '../../capabilities/provider-reports.ts';
import { listSwitches } from '../../capabilities/switches.ts';
import { type CapToday, readCap } from '../../wallet/credits/allowance-cap.ts';
import { type IntegrityCheck, lastIntegrityCheck } from '../../wallet/integrity/check-ledger.ts';
import { type LedgerMetrics, readLedgerMetrics } from '../../wallet/integrity/ledger-metrics.ts';
import { topUpTroubles } from '../../wallet/top-ups/list-top-ups.ts';
import type { GatewayAdminContext, GatewayAdminResponse } from '../admin-context.ts';
import { linesTable } from '../audit.ts';
import { auditKinds } from '../audit-kinds.ts';
import { type Fact, factList } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { recordMessages } from '../messages/record.ts';
import { yuan } from '../money/format-money.ts';
import { listedCapabilities } from './providers.ts';

const LINES = 8;
const LONG_HELD_MINUTES = '30';
const OLD_PROOF_MS = 48 * 3_600_000;

export async function overviewPage(context: GatewayAdminContext): Promise<GatewayAdminResponse> {
  const { world, db, site } = context;
  const messages = adminMessages(site.language);
  const figures = await readLedgerMetrics(db);
  const proof = await lastIntegrityCheck(db);
  const cap = await readCap(world, db);
  const needs = await pendingTasks(context, { figures, proof, cap });
  const filter = { kinds: auditKinds, subject: null, limit: LINES, skip: 0 };
  const lines = await auditLines(db, filter);
  return {
    kind: 'page',
    title: messages.sections.overview,
    section: 'overview',
    main: html`${pageHead(messages.overviewTitle, null)}
<div class="two wide-side"><div>
<section><h2 class="side">${messages.needsAnEye}</h2>
${
  needs.length === 0
    ? html`<p class="positive">${messages.nothingNeeded}</p>`
    : html`<ul class="needs">${needs.map(
        ({ text, href }) => html`<li><a href="${href}">${text}</a></li>
`,
      )}</ul>`
}</section>
<section class="part"><h2 class="side">${messages.changedLast}</h2>
${
  lines.length === 0
    ? html`<p class="empty">${messages.noAudit}</p>`
    : html`${await linesTable(context, lines, true)}
<p class="more"><a class="link" href="/admin/audit">${messages.wholeRecord} →</a></p>`
}</section></div>
<aside><h2 class="side">${messages.howItStands}</h2>
${await activeTasks(context, { figures, proof, cap })}</aside></div>`,
  };
}

type OverviewFigures = {
  readonly figures: LedgerMetrics | null;
  readonly proof: IntegrityCheck | null;
  readonly cap: CapToday;
};

type PendingTask = { readonly text: string; readonly href: string };

async function pendingTasks(
  context: GatewayAdminContext,
  { figures, proof, cap }: OverviewFigures,
): Promise<readonly PendingTask[]> {
  const { world, db, site } = context;
  const messages = adminMessages(site.language);
  const needs: PendingTask[] = [];
  const broken = proof?.results.filter((result) => result.broken > 0).length ?? 0;
  if (broken > 0) needs.push({ text: messages.someBroken(broken), href: '/admin/ledger' });
  const provedAt = proof?.finishedAt ?? null;
  if (provedAt === null) {
    needs.push({ text: recordMessages(site.language).neverChecked, href: '/admin/ledger' });
  }
  const isOld = provedAt !== null && world.clock.now() - provedAt > OLD_PROOF_MS;
  if (isOld) needs.push({ text: messages.proofIsOld, href: '/admin/ledger' });
  const heldCount = figures?.holds?.[LONG_HELD_MINUTES] ?? 0;
  if (heldCount > 0) needs.push({ text: messages.heldLong(heldCount), href: '/admin/ledger' });
  const unset = (await listedCapabilities(context)).filter(({ missing }) => missing !== null);
  if (unset.length > 0) {
    const names = unset.map(({ name }) => name).join(site.language === 'zh-CN' ? '、' : ', ');
    needs.push({ text: messages.notSetUp(names), href: '/admin/providers' });
  }
  for (const { name, isOff } of await listSwitches(db)) {
    if (isOff) needs.push({ text: messages.offNow(name), href: '/admin/providers' });
  }
  const pausedProviders = (await listProviderReports(world, db)).filter(
    ({ health }) => health.circuit === 'open' || health.circuit === 'half_open',
  );
  for (const name of new Set(pausedProviders.map(({ health }) => health.name))) {
    needs.push({ text: messages.restsNow(name), href: '/admin/providers' });
  }
  const { count } = await topUpTroubles(db);
  if (count > 0) {
    needs.push({ text: messages.topUpNeedsYou(count), href: '/admin/top-ups?show=troubled' });
  }
  if (cap.isReached) needs.push({ text: messages.capReached, href: '/admin/prices' });
  return needs;
}

async function activeTasks(
  context: GatewayAdminContext,
  { figures, proof, cap }: OverviewFigures,
): Promise<Html> {
  const { world, db, site, calls } = context;
  const messages = adminMessages(site.language);
  const counts = await accountCounts(db);
  const current = await calls.prices.current();
  const now = world.clock.now();
  const next = (await listPrices(db))
    .filter(({ withdrawnAt, startsAt }) => withdrawnAt === null && startsAt > now)
    .toSorted((a, b) => a.startsAt - b.startsAt)[0];
  const captured = figures?.captured;
  const total = captured ? captured.allowance + captured.voucher + captured.cash : 0n;
  const jobs = (figures?.jobs.queued ?? 0) + (figures?.jobs.running ?? 0);
  const provedAt = proof?.finishedAt ?? null;
  const proved =
    provedAt === null
      ? messages.neverProved
      : html`<span class="${proof?.holds ? 'positive' : 'negative'}">\
${proof?.holds ? messages.holds : messages.isBroken}</span> ${dateTime({ site, world }, provedAt)}`;
  const missing = (await listedCapabilities(context))
    .filter((capability) => capability.missing !== null)
    .map(({ name }) => name);
  const facts: readonly Fact[] = [
    [messages.sections.accounts, messages.accountsAbout(counts)],
    [messages.ledgerProved, proved],
    [messages.capturedAll, yuan(total)],
    [
      messages.givenToday,
      cap.amount === null ? yuan(cap.given) : messages.of(yuan(cap.given), yuan(cap.amount)),
    ],
    [messages.pricesOf, messages.version(current.version)],
    ...(next === undefined
      ? []
      : ([
          [
            messages.nextPrices,
            html`${messages.version(next.version)}, ${dateTime({ site, world }, next.startsAt)}`,
          ],
        ] as const)),
    [messages.jobsOpen, jobs],
    ...(missing.length === 0
      ? []
      : ([[recordMessages(site.language).notSetUp, missing.join(' · ')]] as const)),
  ];
  return factList(facts);
}
