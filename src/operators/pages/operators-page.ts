// `/admin/operators`: the operators with their roles, and invitations. Owners can change them;
// auditors can only read the page.
import { type Html, html } from '../../kernel/html/html.ts';
import { renderPageHead } from '../../kernel/web/form-page.ts';
import { formatDate } from '../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderChoiceField,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../kernel/web/forms.ts';
import { renderListTable, rowHeading, type TableRow } from '../../kernel/web/list-table.ts';
import {
  changeRole,
  inviteOperator,
  listOperators,
  type OperatorAccount,
  type OperatorChangeResult,
  removeOperator,
  resetFactor,
} from '../operators.ts';
import { hasRight, type OperatorRole, operatorRoles } from '../roles.ts';
import { type OperatorPageMessages, operatorPageMessages } from './messages.ts';
import type {
  OperatorPageContext,
  OperatorPageRequest,
  OperatorPageResponse,
} from './operator-page-context.ts';

const PATH = '/admin/operators';

export const operatorsPage = (
  context: OperatorPageContext,
  { query }: OperatorPageRequest,
): Promise<OperatorPageResponse> => render(context, { done: query.get('done') });

type View = {
  readonly done?: string | null;
  readonly errors?: FieldErrors;
  readonly name?: string;
  readonly role?: string;
};

async function render(context: OperatorPageContext, view: View): Promise<OperatorPageResponse> {
  const { site, db } = context;
  const messages = operatorPageMessages(site.language);
  const { done = null, errors = {}, name = '', role = 'editor' } = view;
  const notice = doneText(messages, done);
  const operators = await listOperators(db);
  const choices = roleChoices(messages);
  return {
    kind: 'page',
    status: Object.keys(errors).length > 0 ? 422 : 200,
    title: messages.operators,
    section: 'operators',
    main: html`${renderPageHead(messages.operators, messages.operatorsAbout)}
${notice && html`<div class="notice positive" role="status"><p>${notice}</p></div>`}\
${renderErrorSummary(context, errors)}
${renderListTable(
  [
    { label: messages.name },
    { label: messages.role, isSelfExplanatory: true },
    { label: messages.factor },
    { label: messages.state, isSelfExplanatory: true },
    { label: '', isSelfExplanatory: true },
  ],
  operators.map((operator) => renderRow(context, operator)),
)}
<section class="part"><h2 class="side">${messages.invite}</h2>
<p class="explains">${messages.inviteAbout}</p>
${renderPostForm(
  context,
  { action: `${PATH}/invite` },
  html`${renderTextField({
    name: 'name',
    label: messages.name,
    value: name,
    error: errors.name,
    isRequired: true,
    autocomplete: 'off',
  })}${renderChoiceField({
    name: 'role',
    label: messages.role,
    value: role,
    error: errors.role,
    choices,
  })}\
${renderButton(messages.inviteButton)}`,
)}</section>`,
  };
}

const roleChoices = (messages: OperatorPageMessages) =>
  operatorRoles.map((value) => ({
    value,
    label: `${messages.roles[value]} – ${messages.roleAbout[value]}`,
  }));

export function doneText(messages: OperatorPageMessages, noticeCode: string | null): string | null {
  return noticeCode !== null && Object.hasOwn(messages.done, noticeCode)
    ? messages.done[noticeCode as keyof typeof messages.done]
    : null;
}

function renderRow(context: OperatorPageContext, operator: OperatorAccount): TableRow {
  const { site, session, world } = context;
  const messages = operatorPageMessages(site.language);
  const { id, name, role, hasTotp, invitedUntil } = operator;
  const isSelf = id === session.operatorId;
  const isChangeable = !isSelf && hasRight(session.role, 'manage_operators');
  const state =
    invitedUntil === null
      ? messages.active
      : messages.invitedUntil(formatDate(site.language, invitedUntil, world.clock.now()));
  const selfMark = isSelf && html` <span class="meta">(${messages.you})</span>`;
  return [
    rowHeading(html`${name}${selfMark}`),
    messages.roles[role],
    hasTotp ? messages.on : messages.off,
    state,
    isChangeable ? renderActions(context, operator) : '',
  ];
}

function renderActions(context: OperatorPageContext, { id, role, hasTotp }: OperatorAccount): Html {
  const messages = operatorPageMessages(context.site.language);
  const path = `${PATH}/${id}`;
  const choices = operatorRoles.map((value) => ({ value, label: messages.roles[value] }));
  return html`<details><summary>${messages.changeRole} / ${messages.remove}</summary>
${renderPostForm(
  context,
  { action: `${path}/role` },
  html`<label class="field">${messages.role} <select name="role">${choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === role && html` selected`}>${label}</option>`,
  )}</select></label>${renderButton(messages.changeRole, 'quiet')}`,
)}${
  hasTotp &&
  renderPostForm(
    context,
    { action: `${path}/factor-off` },
    renderButton(messages.resetFactor, 'quiet'),
  )
}${renderPostForm(context, { action: `${path}/remove` }, renderButton(messages.remove, 'danger'))}\
</details>`;
}

export async function invite(
  context: OperatorPageContext,
  { form }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const { world, db, site, session } = context;
  const messages = operatorPageMessages(site.language);
  const name = (form.get('name') ?? '').slice(0, 200);
  const roleInput = form.get('role') ?? '';
  const role = roleOf(roleInput);
  if (role === null) {
    return render(context, { name, role: roleInput, errors: { role: messages.problems.role } });
  }
  const result = await inviteOperator(world, db, { name, role, by: session });
  if (result.kind === 'refused') {
    return render(context, { name, role, errors: { name: messages.problems[result.problem] } });
  }
  const query = new URLSearchParams({ invitation: result.token });
  const { origin } = new URL(context.areaUrl?.() ?? site.url);
  const address = `${origin}/admin/invitation?${query}`;
  return {
    kind: 'page',
    title: messages.invited(result.operator.name),
    section: 'operators',
    main: html`${renderPageHead(messages.invited(result.operator.name), messages.invitedAbout)}
<div class="example" data-secret><pre><code>${address}</code></pre></div>
<p class="more"><a class="button" href="${PATH}">${messages.backToOperators}</a></p>`,
  };
}

const roleOf = (text: string | null): OperatorRole | null =>
  operatorRoles.find((role) => role === text) ?? null;

export async function saveRole(
  context: OperatorPageContext,
  { params, form }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const messages = operatorPageMessages(context.site.language);
  const role = roleOf(form.get('role'));
  if (role === null) return render(context, { errors: { '': messages.problems.role } });
  const change = { id: params.id ?? '', role, by: context.session };
  return renderResult(context, await changeRole(context.world, context.db, change), 'role');
}

export async function remove(
  context: OperatorPageContext,
  { params }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const change = { id: params.id ?? '', by: context.session };
  return renderResult(context, await removeOperator(context.world, context.db, change), 'remove');
}

export async function resetOperatorFactor(
  context: OperatorPageContext,
  { params }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const change = { id: params.id ?? '', by: context.session };
  return renderResult(context, await resetFactor(context.world, context.db, change), 'factor');
}

function renderResult(
  context: OperatorPageContext,
  result: OperatorChangeResult,
  done: string,
): Promise<OperatorPageResponse> | OperatorPageResponse {
  if (result.kind === 'changed') return { kind: 'moved', to: `${PATH}?done=${done}` };
  const messages = operatorPageMessages(context.site.language);
  return render(context, { errors: { '': messages.problems[result.problem] } });
}
