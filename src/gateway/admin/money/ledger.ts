// Renders the ledger page: the invariants, the latest integrity check, a button for a new check,
// and instructions for a broken invariant.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDuration, renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  findLastIntegrityCheck,
  type IntegrityCheck,
  invariants,
  listIntegrityChecks,
  requestIntegrityCheck,
} from '../../wallet/integrity/check-ledger.ts';
import { type LedgerMetrics, readLedgerMetrics } from '../../wallet/integrity/ledger-metrics.ts';
import { redirectWithNotice, renderDoneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { type Fact, renderFacts } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan } from './format-money.ts';

const SHOWN_CHECKS = 10;

export async function ledgerPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { db, site } = context;
  const messages = adminMessages(site.language);
  const checks = await listIntegrityChecks(db, SHOWN_CHECKS);
  const lastCheck = await findLastIntegrityCheck(db);
  const openCheck = checks.find(({ state }) => state !== 'finished') ?? null;
  const metrics = await readLedgerMetrics(db);
  const checkButton = renderPostForm(
    context,
    { action: '/admin/ledger/prove' },
    renderButton(messages.checkNow),
  );
  return {
    kind: 'page',
    title: messages.sections.ledger,
    section: 'ledger',
    main: html`${renderPageHead(messages.sections.ledger, messages.ledgerAbout, checkButton)}
${renderDoneNotice(context, request)}
<div data-live><div${openCheck !== null && html` data-refresh`}>
${openCheck !== null && renderProgress(context, openCheck)}
${
  lastCheck === null
    ? html`<p class="empty">${messages.neverChecked}</p>`
    : renderVerdict(context, lastCheck, metrics)
}</div>
<div class="two wide-side"><div>
<section><h2 class="side">${messages.invariantsTitle}</h2>${renderInvariants(context, lastCheck)}\
</section>
<section class="part"><h2 class="side">${messages.ifBroken}</h2>
<ol class="points">${messages.ifBrokenSteps.map(
      (step) => html`<li>${step}</li>
`,
    )}</ol></section>
</div><aside><h2 class="side">${messages.figures}</h2>${renderFigures(context, metrics)}
<h2 class="side spaced">${messages.proofs}</h2>${renderChecks(context, checks)}</aside></div>\
</div>`,
  };
}

function renderProgress(
  { site, world }: GatewayAdminContext,
  { results, requestedAt, startedAt }: IntegrityCheck,
): Html {
  const messages = adminMessages(site.language);
  const { length } = invariants;
  if (startedAt === null) {
    return html`<div class="notice" role="status"><p>${messages.checkQueued} \
${renderDateTime({ site, world }, requestedAt)}</p></div>`;
  }
  return html`<div class="notice" role="status">\
<p>${messages.checkProgress(results.length, length)}</p>
<progress max="${length}" value="${results.length}" aria-label="${messages.checkNow}"></progress>\
</div>`;
}

/**
 * The text states how many entries the check covered, because a check of two entries proves little
 * about 300.
 */
function renderVerdict(
  { site, world }: GatewayAdminContext,
  check: IntegrityCheck,
  metrics: LedgerMetrics | null,
): Html {
  const messages = adminMessages(site.language);
  const checkedAt = check.finishedAt ?? check.requestedAt;
  const checkedText = html`${renderDateTime({ site, world }, checkedAt)} \
(${messages.ago(formatDuration(site.language, world.clock.now() - checkedAt))})`;
  const brokenCount = check.results.filter((result) => result.broken > 0).length;
  const checkedCount = check.entries ?? 0;
  const entryCount = Math.max(checkedCount, metrics?.entries ?? 0);
  return check.isIntact
    ? html`<p class="verdict positive">\
${messages.invariantsHold(checkedCount, entryCount)} ${checkedText}</p>`
    : html`<p class="verdict negative">${messages.someBroken(brokenCount)} ${checkedText}</p>`;
}

function renderInvariants({ site }: GatewayAdminContext, check: IntegrityCheck | null): Html {
  const messages = adminMessages(site.language);
  return renderListTable(
    [
      { label: messages.number, isNumber: true },
      { label: messages.promise },
      { label: messages.condition, isSelfExplanatory: true },
    ],
    invariants.map((name, index) => {
      const result = check?.results.find((result) => result.name === name);
      return [
        index + 1,
        rowHeading(html`${messages.invariants[name]}\
${
  result !== undefined &&
  result.sample.length > 0 &&
  html`<ul class="meta below">${result.sample.map(
    ({ subject, detail }) => html`<li>${subject}: ${detail}</li>
`,
  )}</ul>`
}`),
        singleLineCell(renderState(messages, result?.broken)),
      ];
    }),
  );
}

function renderState(
  messages: ReturnType<typeof adminMessages>,
  brokenCount: number | undefined,
): Html {
  if (brokenCount === undefined) return html`–`;
  if (brokenCount === 0) return html`<span class="positive">${messages.isIntact}</span>`;
  return html`<span class="negative">${messages.broken(brokenCount)}</span>`;
}

function renderFigures({ site, world }: GatewayAdminContext, figures: LedgerMetrics | null): Html {
  const messages = adminMessages(site.language);
  if (figures === null) return html`<p class="meta">${messages.noFigures}</p>`;
  const numberFormat = new Intl.NumberFormat(site.language);
  const { captured, holds } = figures;
  const holdFacts = Object.entries(holds ?? {}).map(([minutes, count]): Fact => {
    return [messages.heldFor(Number(minutes)), numberFormat.format(count)];
  });
  return renderFacts([
    [messages.entries, numberFormat.format(figures.entries)],
    [messages.unsealed, numberFormat.format(figures.unsealed)],
    ...holdFacts,
    [messages.capturedFrom.allowance, formatYuan(captured.allowance)],
    [messages.capturedFrom.voucher, formatYuan(captured.voucher)],
    [messages.capturedFrom.cash, formatYuan(captured.cash)],
    [messages.asOf, renderDateTime({ site, world }, figures.at)],
  ]);
}

function renderChecks(
  { site, world }: GatewayAdminContext,
  checks: readonly IntegrityCheck[],
): Html {
  const { language } = site;
  const messages = adminMessages(language);
  if (checks.length === 0) return html`<p class="meta">${messages.neverChecked}</p>`;
  return html`<ul class="side-list">${checks.map((check) => {
    const { state, isIntact, requestedBy, requestedAt, startedAt, finishedAt } = check;
    const durationMs = startedAt !== null && finishedAt !== null ? finishedAt - startedAt : null;
    const finishedResult = isIntact
      ? { text: messages.isIntact, className: 'positive' }
      : { text: messages.isBroken, className: 'negative' };
    const { text, className } =
      state === 'finished' ? finishedResult : { text: messages.checkRunning, className: '' };
    return html`<li><span class="${className}">${text}</span>
${renderDateTime({ site, world }, requestedAt)}
<span class="meta"><span>${requestedBy ?? messages.bySchedule}</span>${
      durationMs !== null && html`<span>${(durationMs / 1000).toFixed(1)} s</span>`
    }</span></li>
`;
  })}</ul>`;
}

export async function requestCheck({
  world,
  db,
  session,
  queueIntegrityCheck,
}: GatewayAdminContext): Promise<GatewayAdminResponse> {
  await withAudit(world, db, session, async (tx) => {
    await requestIntegrityCheck(world, tx, session.name);
    const auditEntry = {
      action: 'prove',
      kind: 'ledger',
      subject: 'ledger',
      before: {},
      after: {},
    };
    return { outcome: null, entry: { ...auditEntry, note: null } };
  });
  await queueIntegrityCheck();
  return redirectWithNotice('/admin/ledger', 'prove');
}
