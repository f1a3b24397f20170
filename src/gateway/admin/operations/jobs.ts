// Lists the jobs of all accounts, without inputs and results, and cancels jobs.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { readSkip } from '../../../kernel/http/whole-number.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { textOf } from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { findJob, jobStatuses, type ListedJob, listJobs } from '../../calls/jobs/list-jobs.ts';
import {
  redirectWithNotice,
  renderActionPage,
  renderDoneNotice,
  renderReasonField,
} from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderAuditPart } from '../audit.ts';
import { capabilityName } from '../capability-name.ts';
import { type Fact, renderFacts, renderFilters, renderOlderLink } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';

const PAGE_SIZE = 50;
const unfinishedStates: ReadonlySet<string> = new Set(['queued', 'running']);

export async function jobsPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { db, site } = context;
  const messages = adminMessages(site.language);
  const { query } = request;
  const status = jobStatuses.find((value) => value === query.get('status')) ?? null;
  const accountId = query.get('account');
  const skip = readSkip(query);
  const jobs = await listJobs(db, { status, accountId, limit: PAGE_SIZE + 1, skip });
  const filterParams = { ...(status && { status }), ...(accountId && { account: accountId }) };
  const isAll = status === null && accountId === null && skip === 0;
  const choices = jobStatuses.map((value) => ({ value, label: messages.jobStates[value] }));
  return {
    kind: 'page',
    title: messages.sections.jobs,
    section: 'jobs',
    main: html`${renderPageHead(messages.sections.jobs, messages.jobsAbout)}
${renderDoneNotice(context, request)}
${renderFilters({ path: '/admin/jobs', name: 'status', chosen: status }, [
  { value: null, label: messages.everything },
  ...choices,
])}
${
  jobs.length === 0
    ? html`<p class="empty">${isAll ? messages.noJobsYet : messages.noJobs}</p>`
    : renderTable(context, jobs.slice(0, PAGE_SIZE))
}
${
  jobs.length > PAGE_SIZE &&
  renderOlderLink(messages.older, '/admin/jobs', { ...filterParams, skip: skip + PAGE_SIZE })
}`,
  };
}

function renderTable({ site, world }: GatewayAdminContext, jobs: readonly ListedJob[]): Html {
  const messages = adminMessages(site.language);
  return renderListTable(
    [
      { label: messages.job },
      { label: messages.condition, isSelfExplanatory: true },
      { label: messages.capability },
      { label: messages.begun },
      { label: messages.ended },
    ],
    jobs.map((job) => [
      rowHeading(html`<a href="/admin/jobs/${job.id}">${job.id}</a>`),
      renderState(messages, job),
      html`${capabilityName(site, job.capability)}${
        !job.livemode && html`<span class="meta below">${messages.test}</span>`
      }`,
      singleLineCell(renderDateTime({ site, world }, job.createdAt)),
      singleLineCell(job.endedAt === null ? '–' : renderDateTime({ site, world }, job.endedAt)),
    ]),
  );
}

const stateClass: Readonly<Partial<Record<ListedJob['status'], string>>> = {
  succeeded: 'positive',
  failed: 'negative',
  expired: 'negative',
  canceled: 'warning',
};

function renderState(
  messages: ReturnType<typeof adminMessages>,
  { status, error, progress }: ListedJob,
) {
  const percent = status === 'running' && progress !== null ? Math.round(progress * 100) : null;
  return html`<span class="${stateClass[status] ?? ''}">${messages.jobStates[status]}${
    percent !== null && ` ${percent} %`
  }</span>${error !== null && html`<span class="meta below">${error.code}</span>`}`;
}

async function requireJob(
  { db }: GatewayAdminContext,
  { params }: GatewayAdminRequest,
): Promise<ListedJob> {
  const job = await findJob(db, params.id ?? '');
  if (job === null) throw new Fault('not_found', `There is no job ${params.id}.`);
  return job;
}

export async function jobPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { site, world } = context;
  const messages = adminMessages(site.language);
  const job = await requireJob(context, request);
  const renderTime = (at: number | null) =>
    at === null ? '–' : renderDateTime({ site, world }, at);
  const mode = job.livemode ? '' : '?mode=test';
  const callPath = `/admin/accounts/${job.accountId}/calls/${job.requestId}${mode}`;
  const rows: readonly Fact[] = [
    [messages.condition, renderState(messages, job)],
    [messages.capability, capabilityName(site, job.capability)],
    [messages.mode, job.livemode ? messages.live : messages.test],
    [messages.account, html`<a href="/admin/accounts/${job.accountId}">${job.accountId}</a>`],
    [messages.call, html`<a href="${callPath}">${job.requestId}</a>`],
    [messages.provider, job.provider ?? '–'],
    [messages.begun, renderTime(job.createdAt)],
    [messages.lastChange, renderTime(job.updatedAt)],
    [messages.endsAtLatest, renderTime(job.expiresAt)],
    [messages.ended, renderTime(job.endedAt)],
    ...(job.error === null ? [] : ([[messages.error, job.error.message]] as const)),
  ];
  const cancelLink = html`<a class="button quiet" href="/admin/jobs/${job.id}/cancel">\
${messages.cancelJob}</a>`;
  return {
    kind: 'page',
    title: job.id,
    section: 'jobs',
    main: html`\
${renderPageHead(messages.job, null, unfinishedStates.has(job.status) ? cancelLink : null)}
${renderDoneNotice(context, request)}
<p class="meta"><code>${job.id}</code></p>
${renderFacts(rows, 'facts')}
<p class="explains spaced">${messages.jobAbout}</p>
${await renderAuditPart(context, { kind: 'job', subject: job.id })}`,
  };
}

export async function cancelPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const job = await requireJob(context, request);
  return unfinishedStates.has(job.status)
    ? renderCancelForm(context, job, null)
    : { kind: 'moved', to: `/admin/jobs/${job.id}` };
}

function renderCancelForm(
  context: GatewayAdminContext,
  { id }: ListedJob,
  problem: string | null,
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  return renderActionPage(context, {
    title: messages.cancelJob,
    section: 'jobs',
    explains: messages.cancelJobAbout,
    action: `/admin/jobs/${id}/cancel`,
    label: messages.cancelJob,
    isDanger: true,
    back: `/admin/jobs/${id}`,
    errors: problem === null ? {} : { reason: problem },
    fields: html`<p class="meta"><code>${id}</code></p>\
${renderReasonField(context, '', problem ?? undefined)}`,
  });
}

export async function cancelJob(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site, calls } = context;
  const job = await requireJob(context, request);
  const note = textOf(request.form, 'reason');
  if (note === null)
    return renderCancelForm(context, job, adminMessages(site.language).reasonMissing);
  const { id: subject, status } = job;
  // The audit entry is written first, so the log has it even when this process stops before the
  // cancellation.
  await withAudit(world, db, session, async () => {
    const states = { before: { status }, after: { status: 'canceled' } };
    const auditEntry = { action: 'cancel', kind: 'job', subject, ...states, note };
    return { outcome: null, entry: unfinishedStates.has(status) ? auditEntry : null };
  });
  await calls.jobs.cancel(subject);
  return redirectWithNotice(`/admin/jobs/${subject}`, 'cancel');
}
