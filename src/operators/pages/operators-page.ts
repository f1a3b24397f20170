// `/admin/operators`: who has access, with which role, and invitations. For owners.
import { type Html, html } from '../../kernel/html/html.ts';
import { pageHead } from '../../kernel/web/form-page.ts';
import {
  button,
  choiceField,
  errorSummary,
  type FieldErrors,
  postForm,
  textField,
} from '../../kernel/web/forms.ts';
import {
  changeRole,
  inviteOperator,
  listOperators,
  type OperatorAccount,
  type OperatorChangeResult,
  removeOperator,
  resetFactor,
} from '../operators.ts';
import { type OperatorRole, operatorRoles } from '../roles.ts';
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
  const words = operatorPageMessages(site.language);
  const { done = null, errors = {}, name = '', role = 'editor' } = view;
  const notice = doneText(words, done);
  const operators = await listOperators(db);
  const choices = roleChoices(words);
  return {
    kind: 'page',
    status: Object.keys(errors).length > 0 ? 422 : 200,
    title: words.operators,
    section: 'operators',
    main: html`${pageHead(words.operators, words.operatorsAbout)}
${notice && html`<div class="notice positive" role="status"><p>${notice}</p></div>`}\
${errorSummary(context, errors)}
<div class="scroll" tabindex="0"><table class="list stacks"><thead><tr>\
<th scope="col">${words.name}</th><th scope="col">${words.role}</th>\
<th scope="col">${words.factor}</th><th scope="col">${words.state}</th><td></td>\
</tr></thead><tbody>
${operators.map((operator) => row(context, operator))}</tbody></table></div>
<section class="part"><h2 class="side">${words.invite}</h2>
<p class="explains">${words.inviteAbout}</p>
${postForm(
  context,
  { action: `${PATH}/invite` },
  html`${textField({
    name: 'name',
    label: words.name,
    value: name,
    error: errors.name,
    isRequired: true,
    autocomplete: 'off',
  })}${choiceField({ name: 'role', label: words.role, value: role, error: errors.role, choices })}\
${button(words.inviteButton)}`,
)}</section>`,
  };
}

const roleChoices = (words: OperatorPageMessages) =>
  operatorRoles.map((value) => ({
    value,
    label: `${words.roles[value]} – ${words.roleAbout[value]}`,
  }));

export function doneText(words: OperatorPageMessages, done: string | null): string | null {
  return done !== null && Object.hasOwn(words.done, done)
    ? words.done[done as keyof typeof words.done]
    : null;
}

function row(context: OperatorPageContext, operator: OperatorAccount): Html {
  const { site, session } = context;
  const words = operatorPageMessages(site.language);
  const { id, name, role, hasTotp, invitedUntil } = operator;
  const isSelf = id === session.operatorId;
  const state =
    invitedUntil === null ? words.active : words.invitedUntil(dateText(context, invitedUntil));
  const self = isSelf && html` <span class="meta">(${words.you})</span>`;
  return html`<tr><th scope="row">${name}${self}</th>\
<td>${words.roles[role]}</td><td>${hasTotp ? words.on : words.off}</td><td>${state}</td>\
<td>${!isSelf && actions(context, operator)}</td></tr>
`;
}

const dateText = ({ site }: OperatorPageContext, at: number): string =>
  new Intl.DateTimeFormat(site.language, { dateStyle: 'medium', timeZone: 'UTC' }).format(at);

function actions(context: OperatorPageContext, { id, role, hasTotp }: OperatorAccount): Html {
  const words = operatorPageMessages(context.site.language);
  const at = `${PATH}/${id}`;
  const choices = operatorRoles.map((value) => ({ value, label: words.roles[value] }));
  return html`<details><summary>${words.changeRole} / ${words.remove}</summary>
${postForm(
  context,
  { action: `${at}/role` },
  html`<label class="field">${words.role} <select name="role">${choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === role && html` selected`}>${label}</option>`,
  )}</select></label>${button(words.changeRole, 'quiet')}`,
)}${
  hasTotp && postForm(context, { action: `${at}/factor-off` }, button(words.resetFactor, 'quiet'))
}${postForm(context, { action: `${at}/remove` }, button(words.remove, 'danger'))}</details>`;
}

export async function invite(
  context: OperatorPageContext,
  { form }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const { world, db, site, session } = context;
  const words = operatorPageMessages(site.language);
  const name = (form.get('name') ?? '').slice(0, 200);
  const typedRole = form.get('role') ?? '';
  const role = roleOf(typedRole);
  if (role === null) {
    return render(context, { name, role: typedRole, errors: { role: words.problems.role } });
  }
  const result = await inviteOperator(world, db, { name, role, by: session });
  if (result.kind === 'refused') {
    return render(context, { name, role, errors: { name: words.problems[result.problem] } });
  }
  const query = new URLSearchParams({ invitation: result.token });
  const { origin } = new URL(context.areaUrl?.() ?? site.url);
  const address = `${origin}/admin/invitation?${query}`;
  return {
    kind: 'page',
    title: words.invited(result.operator.name),
    section: 'operators',
    main: html`${pageHead(words.invited(result.operator.name), words.invitedAbout)}
<div class="example" data-secret><pre><code>${address}</code></pre></div>
<p class="more"><a class="button" href="${PATH}">${words.backToOperators}</a></p>`,
  };
}

const roleOf = (text: string | null): OperatorRole | null =>
  operatorRoles.find((one) => one === text) ?? null;

export async function saveRole(
  context: OperatorPageContext,
  { params, form }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const words = operatorPageMessages(context.site.language);
  const role = roleOf(form.get('role'));
  if (role === null) return render(context, { errors: { '': words.problems.role } });
  const change = { id: params.id ?? '', role, by: context.session };
  return handleRequest(context, await changeRole(context.world, context.db, change), 'role');
}

export async function remove(
  context: OperatorPageContext,
  { params }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const change = { id: params.id ?? '', by: context.session };
  return handleRequest(context, await removeOperator(context.world, context.db, change), 'remove');
}

export async function switchFactorOff(
  context: OperatorPageContext,
  { params }: OperatorPageRequest,
): Promise<OperatorPageResponse> {
  const change = { id: params.id ?? '', by: context.session };
  return handleRequest(context, await resetFactor(context.world, context.db, change), 'factor');
}

function handleRequest(
  context: OperatorPageContext,
  result: OperatorChangeResult,
  done: string,
): Promise<OperatorPageResponse> | OperatorPageResponse {
  if (result.kind === 'changed') return { kind: 'moved', to: `${PATH}?done=${done}` };
  const words = operatorPageMessages(context.site.language);
  return render(context, { errors: { '': words.problems[result.problem] } });
}
