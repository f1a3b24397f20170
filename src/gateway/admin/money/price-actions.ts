// Creates a future price list, cancels one, and changes the limit of free allowances.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import { parseShanghai, shanghaiText } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import {
  conflictNotice,
  type FieldErrors,
  textField,
  textOf,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  changedSkus,
  checkPlan,
  listPrices,
  type PricePlanProblem,
  type PricePlanResult,
  planPrices,
  unitPriceOf,
  type WithdrawResult,
  withdrawPrices,
} from '../../calls/plan-prices.ts';
import { listOf } from '../../calls/price-lists.ts';
import { type PriceList, type Sku, shippedPrices, skus } from '../../calls/prices.ts';
import { readCap, setCap } from '../../wallet/credits/allowance-cap.ts';
import { actionPage, reasonField, redirectWithNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { lastEditor } from '../audit.ts';
import { adminMessages } from '../messages/admin.ts';
import { priceEffectMessages } from '../messages/price-effect.ts';
import { typedCny, yuan } from './format-money.ts';
import { priceEffect } from './price-effect.ts';
import { unitPrice } from './prices.ts';

type PriceInput = Readonly<Record<Sku | 'starts' | 'reason', string>>;

/** The latest current or future price list, which a new one copies. */
async function latestPriceList({
  db,
}: GatewayAdminContext): Promise<{ list: PriceList; latestVersion: number }> {
  const versions = await listPrices(db);
  const activeVersions = versions.filter(({ withdrawnAt }) => withdrawnAt === null);
  const last = activeVersions.toSorted((a, b) => b.startsAt - a.startsAt)[0];
  const latestVersion = versions[0]?.version ?? shippedPrices.version;
  return { list: last === undefined ? shippedPrices : listOf(last), latestVersion };
}

export async function changePage(context: GatewayAdminContext): Promise<GatewayAdminResponse> {
  const { list, latestVersion } = await latestPriceList(context);
  const starts = shanghaiText(context.world.clock.now() + DAY_MS);
  return renderPriceForm(context, {
    latestVersion,
    formInput: { ...figuresOf(list), starts, reason: '' },
  });
}

const figuresOf = (list: PriceList) =>
  Object.fromEntries(skus.map((sku) => [sku, yuan(unitPrice(list, sku)).slice(1)])) as Record<
    Sku,
    string
  >;

type PriceFormView = {
  readonly formInput: PriceInput;
  readonly latestVersion: number;
  readonly errors?: FieldErrors;
  readonly notice?: Html | null;
  /** The effect of the typed values; null: it was not shown yet. */
  readonly effect?: Html | null;
};

function renderPriceForm(
  context: GatewayAdminContext,
  { formInput, latestVersion, errors = {}, notice = null, effect = null }: PriceFormView,
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  return actionPage(context, {
    title: messages.changePrices,
    section: 'prices',
    errors,
    notice,
    effect,
    version: latestVersion,
    explains: messages.changePricesAbout,
    action: '/admin/prices/change',
    label: effect === null ? priceEffectMessages(context.site.language).show : messages.planPrices,
    back: '/admin/prices',
    fields: html`${
      effect !== null && html`<input type="hidden" name="shown" value="${planText(formInput)}">`
    }${skus.map((sku) =>
      textField({
        name: sku,
        label: messages.skus[sku],
        value: formInput[sku],
        inputMode: 'decimal' as const,
        help: messages.figureHelp[sku],
        error: errors[sku],
      }),
    )}${textField({
      name: 'starts',
      label: messages.starts,
      value: formInput.starts,
      help: messages.startsHelp,
      error: errors.starts,
    })}${reasonField(context, formInput.reason, errors.reason)}`,
  });
}

/** The values that a list takes from the form, as one text. */
const planText = (formInput: PriceInput) =>
  [...skus, 'starts' as const].map((name) => formInput[name]).join(' ');

/** The first submission shows the effect; the next one with the same values creates the list. */
export async function planChange(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const { form } = request;
  const latestVersion = versionOf(form) ?? 0;
  const formInput = Object.fromEntries(
    [...skus, 'starts' as const, 'reason' as const].map((name) => [name, textOf(form, name) ?? '']),
  ) as PriceInput;
  const figures = readFigures(context, formInput);
  const startsAt = parseShanghai(formInput.starts);
  const errors: FieldErrors = {
    ...figures.errors,
    ...(startsAt === null && { starts: messages.startsWrong }),
    ...(formInput.reason === '' && { reason: messages.reasonMissing }),
  };
  if (startsAt === null || Object.keys(errors).length > 0) {
    return renderPriceForm(context, { formInput, latestVersion, errors });
  }
  const { list: before } = await latestPriceList(context);
  const { prices } = figures;
  const input = {
    startsAt,
    prices,
    actor: session.name,
    reason: formInput.reason,
    expectedVersion: latestVersion,
  };
  if (textOf(form, 'shown') !== planText(formInput)) {
    const problem = await checkPlan(world, db, input);
    if (problem !== null) return renderProblem(context, problem, { formInput, latestVersion });
    const effect = priceEffect(context, { before, prices, startsAt });
    return renderPriceForm(context, { formInput, latestVersion, effect });
  }
  const planned = await withAudit<PricePlanResult>(world, db, session, async (tx) => {
    const outcome = await planPrices(world, tx, input);
    if (outcome.kind !== 'planned') return { outcome, entry: null };
    const after = { version: outcome.version, modelVersion: null, prices };
    const changed = changedSkus(before, after);
    const states = {
      before: Object.fromEntries(changed.map((sku) => [sku, yuan(unitPrice(before, sku))])),
      after: {
        version: outcome.version,
        starts: formInput.starts,
        ...Object.fromEntries(changed.map((sku) => [sku, yuan(unitPrice(after, sku))])),
      },
    };
    const entry = { action: 'plan', kind: 'prices', subject: 'prices', ...states };
    return { outcome, entry: { ...entry, note: formInput.reason } };
  });
  return planned.kind === 'planned'
    ? redirectWithNotice('/admin/prices', 'plan')
    : renderProblem(context, planned, { formInput, latestVersion });
}

function renderProblem(
  context: GatewayAdminContext,
  problem: PricePlanProblem,
  form: Pick<PriceFormView, 'formInput' | 'latestVersion'>,
): GatewayAdminResponse | Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const startProblem = (starts: string) =>
    renderPriceForm(context, { ...form, errors: { starts } });
  switch (problem.kind) {
    case 'too_soon':
      return startProblem(messages.startsTooSoon);
    case 'too_far':
      return startProblem(messages.startsTooFar);
    case 'instant_taken':
      return startProblem(messages.startsTaken(problem.version));
    case 'overtaken':
      return conflict(context, form.formInput);
  }
}

function readFigures(context: GatewayAdminContext, formInput: PriceInput) {
  const messages = adminMessages(context.site.language);
  const errors: Record<string, string> = {};
  const prices: Record<Sku, MicroFen> = { ...shippedPrices.prices };
  for (const sku of skus) {
    const amount = typedCny(formInput[sku]);
    const unit = amount === null || amount < 0n ? null : unitPriceOf(sku, amount);
    if (unit === null) errors[sku] = messages.figureWrong;
    else if (typeof unit === 'bigint') prices[sku] = unit;
    else if (unit.kind === 'too_high') errors[sku] = messages.figureTooHigh(yuan(unit.max));
    else errors[sku] = messages.figureStep(yuan(unit.step));
  }
  return { errors, prices };
}

async function conflict(
  context: GatewayAdminContext,
  formInput: PriceInput,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const { list, latestVersion } = await latestPriceList(context);
  const now = figuresOf(list);
  const differences = skus
    .filter((sku) => typedCny(now[sku]) !== typedCny(formInput[sku]))
    .map((sku) => ({ label: messages.skus[sku], now: now[sku], formInput: formInput[sku] }));
  const editor = await lastEditor(context, 'prices', 'prices');
  return renderPriceForm(context, {
    formInput,
    latestVersion,
    notice: conflictNotice(context, differences, editor),
  });
}

async function findFuturePriceList(
  { db, world }: GatewayAdminContext,
  { params }: GatewayAdminRequest,
) {
  const found = (await listPrices(db)).find(({ version }) => String(version) === params.version);
  if (found === undefined) throw new Fault('not_found', 'There is no such price list.');
  const isOpen = found.withdrawnAt === null && found.startsAt > world.clock.now();
  return isOpen ? found : null;
}

export async function cancelPricesPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { language } = context.site;
  const messages = adminMessages(language);
  const planned = await findFuturePriceList(context, request);
  if (planned === null) return { kind: 'moved', to: '/admin/prices' };
  return actionPage(context, {
    title: messages.callOffOf(planned.version),
    section: 'prices',
    explains: [messages.callOffAbout],
    action: `/admin/prices/${planned.version}/withdraw`,
    label: messages.callOff,
    isDanger: true,
    back: '/admin/prices',
    fields: html`<p class="meta">${messages.from} ${dateTime(context, planned.startsAt)}</p>`,
  });
}

export async function cancelPrices(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session } = context;
  const planned = await findFuturePriceList(context, request);
  if (planned === null) return { kind: 'moved', to: '/admin/prices' };
  const { version } = planned;
  const done = await withAudit<WithdrawResult>(world, db, session, async (tx) => {
    const outcome = await withdrawPrices(world, tx, version);
    const states = { before: { version, holds: true }, after: { version, holds: false } };
    const entry = { action: 'call_off', kind: 'prices', subject: 'prices', ...states, note: null };
    return { outcome, entry: outcome.kind === 'withdrawn' ? entry : null };
  });
  return redirectWithNotice('/admin/prices', done.kind === 'withdrawn' ? 'callOff' : 'tooLate');
}

export async function capPage(context: GatewayAdminContext): Promise<GatewayAdminResponse> {
  const cap = await readCap(context.world, context.db);
  const amount = cap.amount === null ? '' : yuan(cap.amount).slice(1);
  return renderCapForm(context, { amount, version: cap.version });
}

function renderCapForm(
  context: GatewayAdminContext,
  view: { amount: string; version: number; errors?: FieldErrors; notice?: Html },
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const { amount, version, errors = {}, notice = null } = view;
  return actionPage(context, {
    title: messages.setCap,
    section: 'prices',
    errors,
    notice,
    version,
    explains: messages.setCapAbout,
    action: '/admin/prices/allowance',
    label: messages.save,
    back: '/admin/prices',
    fields: textField({
      name: 'amount',
      label: messages.capOfAll,
      value: amount,
      inputMode: 'decimal',
      help: messages.capHelp,
      error: errors.amount,
    }),
  });
}

export async function saveCap(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const formInput = textOf(request.form, 'amount');
  const amount = formInput === null ? null : typedCny(formInput);
  const version = versionOf(request.form) ?? 0;
  if (formInput !== null && (amount === null || amount < 0n)) {
    const errors = { amount: messages.amountWrong };
    return renderCapForm(context, { amount: formInput, version, errors });
  }
  const before = await readCap(world, db);
  const text = (cap: MicroFen | null) => (cap === null ? null : yuan(cap));
  const isSaved = await withAudit(world, db, session, async (tx) => {
    const outcome = await setCap(world, tx, { amount, version, actor: session.name });
    const states = { before: { cap: text(before.amount) }, after: { cap: text(amount) } };
    const entry = { action: 'cap', kind: 'allowance', subject: 'cap', ...states, note: null };
    return { outcome, entry: outcome ? entry : null };
  });
  if (isSaved) return redirectWithNotice('/admin/prices', 'cap');
  const now = text(before.amount) ?? messages.noCap;
  const difference = { label: messages.capOfAll, now, formInput: text(amount) ?? messages.noCap };
  const editor = await lastEditor(context, 'allowance', 'cap');
  const notice = conflictNotice(context, [difference], editor);
  return renderCapForm(context, { amount: formInput ?? '', version: before.version, notice });
}
