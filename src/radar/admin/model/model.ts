// The page about models: cost, remaining budgets, routing, and requests with an unknown outcome.
// An operator can change the routing. Each change has an audit row. A concurrent change is refused.

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
import { findLastEditor, renderAuditTable } from '../audit-table.ts';
import { confirmAction, renderDoneNotice } from '../done-notice.ts';
import { adminMessages } from '../messages/messages.ts';
import { modelMessages } from '../messages/model.ts';
import {
  renderBudgetNotice,
  renderBudgetTable,
  renderCostTable,
  renderUnknownTable,
} from './model-tables.ts';

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
    notice: renderDoneNotice(context, request),
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
${view.notice}${renderErrorSummary(context, view.errors ?? {})}${await renderBudgetNotice(context)}
<div class="two wide-side"><div>
${await renderCostTable(context, view.day ?? null)}
${await renderUnknownTable(context, model)}
</div><aside>
${await renderRoutingForm(context, model, view)}
${await renderBudgetTable(context, model)}
${await renderAuditTable(context, { kind: 'model', subject: SUBJECT })}
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
  const chosenModel = ({ step, model, from }: ModelRoute) =>
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
      value: chosenModel(route),
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
    throw new Fault(
      'invalid_request',
      'This form is not from a page of the operator area. Load the page again.',
      {
        inChinese: '这个表单不是运营台的页面发出的。请重新载入页面。',
      },
    );
  }
  const submittedChoices = Object.fromEntries(
    modelSteps.map((step) => [step, form.get(step) ?? '']),
  );
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
      return renderModelPage(context, { errors, status: 422, submittedChoices });
    }
    case 'conflict':
      return renderConflict(context, model, submittedChoices);
  }
}

async function renderConflict(
  context: RadarPageContext,
  settings: ModelSettings,
  submittedChoices: Readonly<Record<string, string>>,
): Promise<RadarAdminResponse> {
  const messages = modelMessages(context.site.language);
  const { routes } = await viewRouting(context.db, settings);
  const differences = routes.flatMap(({ step, model, from }) => {
    const currentModel = from === 'operator' ? (model ?? BUILT_IN) : '';
    const formInput = submittedChoices[step] ?? '';
    return currentModel === formInput
      ? []
      : [{ label: messages.steps[step], currentValue: currentModel, formInput }];
  });
  const notice = renderConflictNotice(
    context,
    differences,
    await findLastEditor(context, 'model', SUBJECT),
  );
  return renderModelPage(context, { notice, status: 409, submittedChoices });
}
