// Shows and changes the call limits of an account and the request rate of its keys.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import {
  type Difference,
  type FieldErrors,
  renderConflictNotice,
  renderTextField,
  textOf,
} from '../../../kernel/web/forms.ts';
import { changedFields, withAudit } from '../../../operators/audit-log.ts';
import type { Account } from '../../accounts/account.ts';
import {
  type AccountLimits,
  changeAccountLimits,
  findAccountLimits,
  formatLimits,
  type KeyRate,
  type LimitsChangeResult,
  limitRanges,
  readRatesOfKeys,
  setKeyRate,
} from '../../accounts/account-limits.ts';
import { listKeys } from '../../keys/change-keys.ts';
import { redirectWithNotice, renderActionPage } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { findLastEditor } from '../audit.ts';
import { adminMessages } from '../messages/admin.ts';
import { requireExistingAccount } from './find-account.ts';

const limitFields = ['callsPerDay', 'callsPerMonth', 'perSecond', 'burst'] as const;
type LimitField = (typeof limitFields)[number];
type LimitInput = Readonly<Record<LimitField, string>>;

const rangeByName: Readonly<Record<LimitField, { readonly min: number; readonly max: number }>> = {
  callsPerDay: limitRanges.calls,
  callsPerMonth: limitRanges.calls,
  perSecond: limitRanges.perSecond,
  burst: limitRanges.burst,
};

const toInput = ({ callsPerDay, callsPerMonth, rate }: AccountLimits): LimitInput => ({
  callsPerDay: String(callsPerDay ?? ''),
  callsPerMonth: String(callsPerMonth ?? ''),
  perSecond: String(rate?.perSecond ?? ''),
  burst: String(rate?.burst ?? ''),
});

const readInput = (form: URLSearchParams): LimitInput => ({
  callsPerDay: textOf(form, 'callsPerDay') ?? '',
  callsPerMonth: textOf(form, 'callsPerMonth') ?? '',
  perSecond: textOf(form, 'perSecond') ?? '',
  burst: textOf(form, 'burst') ?? '',
});

const parseNumber = (text: string) => (text === '' ? null : Number(text));

function toRate({ perSecond, burst }: Pick<LimitInput, 'perSecond' | 'burst'>): KeyRate | null {
  return perSecond === '' || burst === ''
    ? null
    : { perSecond: Number(perSecond), burst: Number(burst) };
}

const toLimits = (formInput: LimitInput): AccountLimits => ({
  callsPerDay: parseNumber(formInput.callsPerDay),
  callsPerMonth: parseNumber(formInput.callsPerMonth),
  rate: toRate(formInput),
});

function findErrors(
  context: GatewayAdminContext,
  formInput: LimitInput,
  names: readonly LimitField[],
): FieldErrors {
  const messages = adminMessages(context.site.language);
  const errors: Record<string, string> = {};
  for (const name of names) {
    const { min, max } = rangeByName[name];
    const number = /^\d{1,10}$/.test(formInput[name]) ? Number(formInput[name]) : Number.NaN;
    if (formInput[name] === '' || (number >= min && number <= max)) continue;
    errors[name] = messages.numberWrong(min, max);
  }
  if (formInput.perSecond === '' && formInput.burst !== '') errors.perSecond = messages.bothOrNone;
  if (formInput.perSecond !== '' && formInput.burst === '') errors.burst = messages.bothOrNone;
  return errors;
}

function renderNumberField(
  context: GatewayAdminContext,
  name: LimitField,
  {
    value,
    error,
    defaultValue,
  }: { value: string; error: string | undefined; defaultValue: number },
): Html {
  const messages = adminMessages(context.site.language);
  return renderTextField({
    name,
    label: messages.limitNames[name],
    value,
    inputMode: 'numeric',
    error,
    help: messages.installationDefault(defaultValue),
  });
}

/** The limits at page load. Saving fails when the stored limits differ from them. */
const renderExpectedLimitsField = (expectedLimits: string) =>
  html`<input type="hidden" name="seen" value="${expectedLimits}">`;

async function requireLimits(
  context: GatewayAdminContext,
  { id }: Account,
): Promise<AccountLimits> {
  const limits = await findAccountLimits(context.db, id);
  if (limits === null) throw new Fault('not_found', 'No such account.');
  return limits;
}

export async function limitsPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const account = await requireExistingAccount(context, request);
  const limits = await requireLimits(context, account);
  return renderLimitsForm(context, account, {
    formInput: toInput(limits),
    expectedLimits: formatLimits(limits),
  });
}

type LimitsView = {
  readonly formInput: LimitInput;
  readonly expectedLimits: string;
  readonly errors?: FieldErrors;
  readonly notice?: Html;
};

function renderLimitsForm(
  context: GatewayAdminContext,
  { id, email }: Account,
  { formInput, expectedLimits, errors = {}, notice }: LimitsView,
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const { callsPerDay, callsPerMonth, rate } = context.limits;
  const defaults: Readonly<Record<LimitField, number>> = { callsPerDay, callsPerMonth, ...rate };
  return renderActionPage(context, {
    title: messages.limitsOf(email),
    section: 'accounts',
    errors,
    notice: notice ?? null,
    explains: [messages.limitsAbout],
    action: `/admin/accounts/${id}/limits`,
    label: messages.save,
    back: `/admin/accounts/${id}`,
    fields: html`${renderExpectedLimitsField(expectedLimits)}${limitFields.map((name) =>
      renderNumberField(context, name, {
        value: formInput[name],
        error: errors[name],
        defaultValue: defaults[name],
      }),
    )}`,
  });
}

export async function saveLimits(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session } = context;
  const account = await requireExistingAccount(context, request);
  const formInput = readInput(request.form);
  const expectedLimits = request.form.get('seen') ?? '';
  const errors = findErrors(context, formInput, limitFields);
  if (Object.keys(errors).length > 0)
    return renderLimitsForm(context, account, { formInput, expectedLimits, errors });
  const { id: subject } = account;
  const newLimits = toLimits(formInput);
  const changeResult = await withAudit<LimitsChangeResult>(world, db, session, async (tx) => {
    const outcome = await changeAccountLimits(tx, subject, {
      expectedLimits,
      next: newLimits,
    });
    if (outcome.kind !== 'changed') return { outcome, entry: null };
    const states = changedFields(flattenLimits(outcome.before), flattenLimits(newLimits));
    const isSame = Object.keys(states.after).length === 0;
    const auditEntry = { action: 'limits', kind: 'account', subject, ...states, note: null };
    return { outcome, entry: isSame ? null : auditEntry };
  });
  if (changeResult.kind === 'unknown') throw new Fault('not_found', 'No such account.');
  if (changeResult.kind === 'changed')
    return redirectWithNotice(`/admin/accounts/${subject}`, 'limits');
  const currentLimits = toInput(changeResult.current);
  const editor = await findLastEditor(context, 'account', subject);
  const notice = renderConflictNotice(
    context,
    findDifferences(context, currentLimits, formInput),
    editor,
  );
  return renderLimitsForm(context, account, {
    formInput,
    expectedLimits: formatLimits(changeResult.current),
    notice,
  });
}

const flattenLimits = (limits: AccountLimits) => ({ ...toInput(limits) });

function findDifferences(
  { site }: GatewayAdminContext,
  current: LimitInput,
  formInput: LimitInput,
): readonly Difference[] {
  const messages = adminMessages(site.language);
  return limitFields
    .filter((name) => current[name] !== formInput[name])
    .map((name) => ({
      label: messages.limitNames[name],
      currentValue: current[name] || '–',
      formInput: formInput[name] || '–',
    }));
}

export async function keyRatePage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { account, key, rate } = await requireKey(context, request);
  const formInput = { perSecond: String(rate?.perSecond ?? ''), burst: String(rate?.burst ?? '') };
  return renderKeyRateForm(context, { account, key }, formInput, {});
}

async function requireKey(context: GatewayAdminContext, request: GatewayAdminRequest) {
  const account = await requireExistingAccount(context, request);
  const keyId = request.params.keyId ?? '';
  const key = (await listKeys(context.db, account.id)).find(({ id }) => id === keyId);
  if (key === undefined) throw new Fault('not_found', 'This account has no such key.');
  const rate = (await readRatesOfKeys(context.db, [keyId])).get(keyId) ?? null;
  return { account, key, rate };
}

type KeyOfAccount = Pick<Awaited<ReturnType<typeof requireKey>>, 'account' | 'key'>;

function renderKeyRateForm(
  context: GatewayAdminContext,
  { account, key }: KeyOfAccount,
  formInput: Pick<LimitInput, 'perSecond' | 'burst'>,
  errors: FieldErrors,
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const { rate } = context.limits;
  const renderField = (name: 'perSecond' | 'burst') =>
    renderNumberField(context, name, {
      value: formInput[name],
      error: errors[name],
      defaultValue: rate[name],
    });
  const path = `/admin/accounts/${account.id}`;
  return renderActionPage(context, {
    title: messages.rateOf(key.name),
    section: 'accounts',
    errors,
    explains: [messages.keyRateAbout],
    action: `${path}/keys/${key.id}`,
    label: messages.save,
    back: path,
    fields: html`${renderField('perSecond')}${renderField('burst')}`,
  });
}

export async function saveKeyRate(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session } = context;
  const { account, key, rate: before } = await requireKey(context, request);
  const formInput = readInput(request.form);
  const errors = findErrors(context, formInput, ['perSecond', 'burst']);
  if (Object.keys(errors).length > 0) {
    return renderKeyRateForm(context, { account, key }, formInput, errors);
  }
  const rate = toRate(formInput);
  await withAudit(world, db, session, async (tx) => {
    await setKeyRate(tx, key, rate);
    const states = changedFields({ rate: before }, { rate });
    const isSame = Object.keys(states.after).length === 0;
    const subject = account.id;
    const auditEntry = { action: 'key_rate', kind: 'account', subject, ...states, note: key.id };
    return { outcome: null, entry: isSame ? null : auditEntry };
  });
  return redirectWithNotice(`/admin/accounts/${account.id}`, 'limits');
}
