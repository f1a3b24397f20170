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
  readonly submittedChoices?: Readonly<Record<string, string>>;
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
${await renderRoutingForm(context, model, view)}
${await budgetTable(context, model)}
${await auditTable(context, { kind: 'model', subject: SUBJECT })}
</aside></div>`;
  const { status = 200 } = view;
  return { kind: 'page', title, section: 'model', main, status };
}

async function renderRoutingForm(
  context: RadarPageContext,
  settings: ModelSettings,
  { errors = {}, submittedChoices }: ModelPageView,
): Promise<Html> {
  const { language } = context.site;
  const messages = modelMessages(language);
  const { version, routes, models } = await viewRouting(context.db, settings);
  const modelOptions = (step: ModelStep) => {
    const configuredRoute = settings.file.steps[step] ?? settings.name ?? BUILT_IN;
    const label = configuredRoute === BUILT_IN ? messages.builtIn : configuredRoute;
    return [
      { value: '', label: messages.asConfigured(label) },
      ...models.map((name) => ({ value: name, label: name })),
      { value: BUILT_IN, label: messages.builtIn },
    ];
  };
  const routeLabel = ({ step, model, from }: ModelRoute) =>
    submittedChoices?.[step] ?? (from === 'operator' ? (model ?? BUILT_IN) : '');
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
      choices: modelOptions(route.step),
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
  const submittedModel = Object.fromEntries(modelSteps.map((step) => [step, form.get(step) ?? '']));
  const steps = Object.fromEntries(modelSteps.map((step) => [step, textOf(form, step)])) as Record<
    ModelStep,
    string | null
  >;
  const result = await withAudit<RoutingResult>(world, db, session, async (tx) => {
    const outcome = await changeModelRouting(world, tx, model, { version, steps });
    if (outcome.kind !== 'changed') return { outcome, entry: null };
    const changedRoutes = changedFields(outcome.before, outcome.after);
    const entry = { action: 'edit', kind: 'model', subject: SUBJECT, ...changedRoutes, note: null };
    return { outcome, entry };
  });
  const messages = modelMessages(site.language);
  switch (result.kind) {
    case 'changed':
      return confirmAction(context, null, '/admin/model', 'edit');
    case 'unchanged':
      return confirmAction(context, null, '/admin/model', 'unchanged');
    case 'unknown_model': {
      const errors = { [result.step]: messages.unknownModel(result.model) };
      return renderModelPage(context, { errors, status: 422, submittedChoices: submittedModel });
    }
    case 'outdated':
      return conflictPage(context, model, submittedModel);
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
    const currentModel = from === 'operator' ? (model ?? BUILT_IN) : '';
    const formInput = chosen[step] ?? '';
    return currentModel === formInput
      ? []
      : [{ label: messages.steps[step], currentValue: currentModel, formInput }];
  });
  const notice = renderConflictNotice(
    context,
    differences,
    await lastEditor(context, 'model', SUBJECT),
  );
  return renderModelPage(context, { notice, status: 409, submittedChoices: chosen });
}
