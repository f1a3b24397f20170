// Cost of models, remaining budgets, routing, and requests with an unknown outcome. Routing can be
// changed here; a change is refused after a concurrent one and is written to the audit log.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { type ModelStep, modelSteps } from '../../../kernel/ports/model.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  type FieldErrors,
  renderButton,
  renderChoiceField,
  renderConflictNotice,
  renderErrorSummary,
  renderPostForm,
  textOf,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { changedFields, withAudit } from '../../../operators/audit-log.ts';
import { BUILT_IN, type ModelSettings } from '../../model/model-config.ts';
import { changeModelRouting, type RoutingResult, viewRouting } from '../../model/model-report.ts';
import type { ModelRoute } from '../../model/routing.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { auditTable, lastEditor } from '../audit-table.ts';
import { confirmAction, doneNotice } from '../done-notice.ts';
import { adminMessages } from '../messages/messages.ts';
import { modelMessages } from '../messages/model.ts';
import { budgetNotice, budgetTable, costTable, unknownTable } from './model-tables.ts';

const SUBJECT = 'routing';

type ModelPageView = {
  readonly notice?: Html;
  readonly errors?: FieldErrors;
  readonly status?: number;
  /** The selected day of the costs. */
  readonly day?: string | null;
  /** The submitted choice by step; absent: the stored routing. */
  readonly chosen?: Readonly<Record<string, string>>;
};

export async function modelPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  return renderModelPage(context, {
    notice: doneNotice(context, request),
    day: request.query.get('day'),
  });
}

async function renderModelPage(
  context: RadarPageContext,
  view: ModelPageView,
): Promise<RadarAdminResponse> {
  const { language } = context.site;
  const messages = modelMessages(language);
  const title = adminMessages(language).sections.model;
  const { model } = context;
  const main =
    model === null
      ? html`${renderPageHead(title, messages.about)}<p class="empty">${messages.none}</p>`
      : html`${renderPageHead(title, messages.about)}
${view.notice}${renderErrorSummary(context, view.errors ?? {})}${await budgetNotice(context)}
<div class="two wide-side"><div>
${await costTable(context, view.day ?? null)}
${await unknownTable(context, model)}
</div><aside>
${await routingForm(context, model, view)}
${await budgetTable(context, model)}
${await auditTable(context, { kind: 'model', subject: SUBJECT })}
</aside></div>`;
  const { status = 200 } = view;
  return { kind: 'page', title, section: 'model', main, status };
}

async function routingForm(
  context: RadarPageContext,
  settings: ModelSettings,
  { errors = {}, chosen }: ModelPageView,
): Promise<Html> {
  const { language } = context.site;
  const messages = modelMessages(language);
  const { version, routes, models } = await viewRouting(context.db, settings);
  const choicesOf = (step: ModelStep) => {
    const configured = settings.file.steps[step] ?? settings.name ?? BUILT_IN;
    const label = configured === BUILT_IN ? messages.builtIn : configured;
    return [
      { value: '', label: messages.asConfigured(label) },
      ...models.map((name) => ({ value: name, label: name })),
      { value: BUILT_IN, label: messages.builtIn },
    ];
  };
  const routeLabel = ({ step, model, from }: ModelRoute) =>
    chosen?.[step] ?? (from === 'operator' ? (model ?? BUILT_IN) : '');
  return html`<section class="part"><h2 class="side">${messages.routing}</h2>
<p class="meta">${messages.routingAbout}</p>
${renderPostForm(
  context,
  { action: '/admin/model', version },
  html`${routes.map((route) =>
    renderChoiceField({
      name: route.step,
      label: messages.steps[route.step],
      value: routeLabel(route),
      choices: choicesOf(route.step),
      ...(errors[route.step] !== undefined && { error: errors[route.step] }),
    }),
  )}${renderButton(messages.save)}`,
)}</section>`;
}

export async function changeRouting(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, site, model } = context;
  const version = versionOf(form);
  if (model === null || version === null) {
    throw new Fault('invalid_request', 'This form is not from a page of this operator area.', {
      inChinese: '这个表单不是本编辑台的页面发出的。',
    });
  }
  const chosen = Object.fromEntries(modelSteps.map((step) => [step, form.get(step) ?? '']));
  const steps = Object.fromEntries(modelSteps.map((step) => [step, textOf(form, step)])) as Record<
    ModelStep,
    string | null
  >;
  const done = await withAudit<RoutingResult>(world, db, session, async (tx) => {
    const outcome = await changeModelRouting(world, tx, model, { version, steps });
    if (outcome.kind !== 'changed') return { outcome, entry: null };
    const changed = changedFields(outcome.before, outcome.after);
    const entry = { action: 'edit', kind: 'model', subject: SUBJECT, ...changed, note: null };
    return { outcome, entry };
  });
  const messages = modelMessages(site.language);
  switch (done.kind) {
    case 'changed':
      return confirmAction(context, null, '/admin/model', 'edit');
    case 'unchanged':
      return confirmAction(context, null, '/admin/model', 'unchanged');
    case 'unknown_model': {
      const errors = { [done.step]: messages.unknownModel(done.model) };
      return renderModelPage(context, { errors, status: 422, chosen });
    }
    case 'outdated':
      return conflictPage(context, model, chosen);
  }
}

async function conflictPage(
  context: RadarPageContext,
  settings: ModelSettings,
  chosen: Readonly<Record<string, string>>,
): Promise<RadarAdminResponse> {
  const messages = modelMessages(context.site.language);
  const { routes } = await viewRouting(context.db, settings);
  const differences = routes.flatMap(({ step, model, from }) => {
    const now = from === 'operator' ? (model ?? BUILT_IN) : '';
    const formInput = chosen[step] ?? '';
    return now === formInput ? [] : [{ label: messages.steps[step], currentValue: now, formInput }];
  });
  const notice = renderConflictNotice(
    context,
    differences,
    await lastEditor(context, 'model', SUBJECT),
  );
  return renderModelPage(context, { notice, status: 409, chosen });
}
