// Creates a future price list, cancels one, and changes the cap on free allowances.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import { formatShanghai, parseShanghai } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderConflictNotice,
  renderTextField,
  textOf,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  changedSkus,
  findPlanProblem,
  listPrices,
  type PricePlanProblem,
  type PricePlanResult,
  planPrices,
  unitPriceOf,
  type WithdrawResult,
  withdrawPrices,
} from '../../calls/plan-prices.ts';
import { findListAt } from '../../calls/price-lists.ts';
import { type PriceList, type Sku, shippedPrices, skus } from '../../calls/prices.ts';
import { readCap, setCap } from '../../wallet/credits/allowance-cap.ts';
import { redirectWithNotice, renderActionPage, renderReasonField } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { findLastEditor } from '../audit.ts';
import { adminMessages } from '../messages/admin.ts';
import { priceEffectMessages } from '../messages/price-effect.ts';
import { formatYuan, parseCnyInput } from './format-money.ts';
import { renderPriceEffect } from './price-effect.ts';
import { displayedPriceOf } from './prices.ts';

type PriceInput = Readonly<Record<Sku | 'starts' | 'reason', string>>;

/** The latest current or future price list, whose values a new list copies. */
async function readLatestPriceList({
  db,
}: GatewayAdminContext): Promise<{ list: PriceList; latestVersion: number }> {
  const versions = await listPrices(db);
  const latestVersion = versions[0]?.version ?? shippedPrices.version;
  return { list: findListAt(versions, Number.POSITIVE_INFINITY), latestVersion };
}

export async function renderChangePage(
  context: GatewayAdminContext,
): Promise<GatewayAdminResponse> {
  const { list, latestVersion } = await readLatestPriceList(context);
  const starts = formatShanghai(context.world.clock.now() + DAY_MS);
  return renderPriceForm(context, {
    latestVersion,
    formInput: { ...toFigures(list), starts, reason: '' },
  });
}

/** The prices as form input: displayed units, in CNY without the currency sign. */
const toFigures = (list: PriceList) =>
  Object.fromEntries(
    skus.map((sku) => [sku, formatYuan(displayedPriceOf(list, sku)).slice(1)]),
  ) as Record<Sku, string>;

type PriceFormView = {
  readonly formInput: PriceInput;
  readonly latestVersion: number;
  readonly errors?: FieldErrors;
  readonly notice?: Html | null;
  /** The effect of the entered values; null: the effect was not shown yet. */
  readonly effect?: Html | null;
};

function renderPriceForm(
  context: GatewayAdminContext,
  { formInput, latestVersion, errors = {}, notice = null, effect = null }: PriceFormView,
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  return renderActionPage(context, {
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
      effect !== null && html`<input type="hidden" name="shown" value="${planTextOf(formInput)}">`
    }${skus.map((sku) =>
      renderTextField({
        name: sku,
        label: messages.skus[sku],
        value: formInput[sku],
        inputMode: 'decimal' as const,
        help: messages.figureHelp[sku],
        error: errors[sku],
      }),
    )}${renderTextField({
      name: 'starts',
      label: messages.starts,
      value: formInput.starts,
      help: messages.startsHelp,
      error: errors.starts,
    })}${renderReasonField(context, formInput.reason, errors.reason)}`,
  });
}

/** The values of the form that determine the list, as one text. */
const planTextOf = (formInput: PriceInput) =>
  [...skus, 'starts' as const].map((name) => formInput[name]).join(' ');

/**
 * The first submission shows the effect. The next submission with the same values creates the list.
 */
export async function showOrPlan(
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
  const { list: before } = await readLatestPriceList(context);
  const { prices } = figures;
  const input = {
    startsAt,
    prices,
    actor: session.name,
    reason: formInput.reason,
    expectedVersion: latestVersion,
  };
  if (textOf(form, 'shown') !== planTextOf(formInput)) {
    const problem = await findPlanProblem(world, db, input);
    if (problem !== null) return renderProblem(context, problem, { formInput, latestVersion });
    const effect = renderPriceEffect(context, { before, prices, startsAt });
    return renderPriceForm(context, { formInput, latestVersion, effect });
  }
  const planResult = await withAudit<PricePlanResult>(world, db, session, async (tx) => {
    const outcome = await planPrices(world, tx, input);
    if (outcome.kind !== 'planned') return { outcome, entry: null };
    const after = { version: outcome.version, prices };
    const skusWithChange = changedSkus(before, after);
    const states = {
      before: Object.fromEntries(
        skusWithChange.map((sku) => [sku, formatYuan(displayedPriceOf(before, sku))]),
      ),
      after: {
        version: outcome.version,
        starts: formInput.starts,
        ...Object.fromEntries(
          skusWithChange.map((sku) => [sku, formatYuan(displayedPriceOf(after, sku))]),
        ),
      },
    };
    const auditEntry = { action: 'plan', kind: 'prices', subject: 'prices', ...states };
    return { outcome, entry: { ...auditEntry, note: formInput.reason } };
  });
  return planResult.kind === 'planned'
    ? redirectWithNotice('/admin/prices', 'plan')
    : renderProblem(context, planResult, { formInput, latestVersion });
}

function renderProblem(
  context: GatewayAdminContext,
  problem: PricePlanProblem,
  form: Pick<PriceFormView, 'formInput' | 'latestVersion'>,
): GatewayAdminResponse | Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const renderStartProblem = (starts: string) =>
    renderPriceForm(context, { ...form, errors: { starts } });
  switch (problem.kind) {
    case 'too_soon':
      return renderStartProblem(messages.startsTooSoon);
    case 'too_far':
      return renderStartProblem(messages.startsTooFar);
    case 'instant_taken':
      return renderStartProblem(messages.startsTaken(problem.version));
    case 'conflict':
      return renderConflict(context, form.formInput);
  }
}

/** The entered prices in micro-fen, with an error for each field that has no valid price. */
function readFigures(context: GatewayAdminContext, formInput: PriceInput) {
  const messages = adminMessages(context.site.language);
  const errors: Record<string, string> = {};
  const prices: Record<Sku, MicroFen> = { ...shippedPrices.prices };
  for (const sku of skus) {
    const amount = parseCnyInput(formInput[sku]);
    const unit = amount === null || amount < 0n ? null : unitPriceOf(sku, amount);
    if (unit === null) errors[sku] = messages.figureWrong;
    else if (typeof unit === 'bigint') prices[sku] = unit;
    else if (unit.kind === 'too_high') errors[sku] = messages.figureTooHigh(formatYuan(unit.max));
    else errors[sku] = messages.figureStep(formatYuan(unit.step));
  }
  return { errors, prices };
}

async function renderConflict(
  context: GatewayAdminContext,
  formInput: PriceInput,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const { list, latestVersion } = await readLatestPriceList(context);
  const currentFigures = toFigures(list);
  const differences = skus
    .filter((sku) => parseCnyInput(currentFigures[sku]) !== parseCnyInput(formInput[sku]))
    .map((sku) => ({
      label: messages.skus[sku],
      currentValue: currentFigures[sku],
      formInput: formInput[sku],
    }));
  const editor = await findLastEditor(context, 'prices', 'prices');
  return renderPriceForm(context, {
    formInput,
    latestVersion,
    notice: renderConflictNotice(context, differences, editor),
  });
}

/** Throws a Fault unless the list exists. Null: the list is in force, past or canceled. */
async function findFuturePriceList(
  { db, world }: GatewayAdminContext,
  { params }: GatewayAdminRequest,
) {
  const priceList = (await listPrices(db)).find(
    ({ version }) => String(version) === params.version,
  );
  if (priceList === undefined) throw new Fault('not_found', 'There is no such price list.');
  const isOpen = priceList.withdrawnAt === null && priceList.startsAt > world.clock.now();
  return isOpen ? priceList : null;
}

export async function cancelPricesPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { language } = context.site;
  const messages = adminMessages(language);
  const plannedList = await findFuturePriceList(context, request);
  if (plannedList === null) return { kind: 'moved', to: '/admin/prices' };
  return renderActionPage(context, {
    title: messages.cancelPlanOf(plannedList.version),
    section: 'prices',
    explains: [messages.cancelPlanAbout],
    action: `/admin/prices/${plannedList.version}/withdraw`,
    label: messages.callOff,
    isDanger: true,
    back: '/admin/prices',
    fields: html`<p class="meta">${messages.from} \
${renderDateTime(context, plannedList.startsAt)}</p>`,
  });
}

export async function cancelPrices(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session } = context;
  const plannedList = await findFuturePriceList(context, request);
  if (plannedList === null) return { kind: 'moved', to: '/admin/prices' };
  const { version } = plannedList;
  const withdrawResult = await withAudit<WithdrawResult>(world, db, session, async (tx) => {
    const outcome = await withdrawPrices(world, tx, version);
    const states = { before: { version, holds: true }, after: { version, holds: false } };
    const auditEntry = {
      action: 'call_off',
      kind: 'prices',
      subject: 'prices',
      ...states,
      note: null,
    };
    return { outcome, entry: outcome.kind === 'withdrawn' ? auditEntry : null };
  });
  return redirectWithNotice(
    '/admin/prices',
    withdrawResult.kind === 'withdrawn' ? 'callOff' : 'tooLate',
  );
}

export async function capPage(context: GatewayAdminContext): Promise<GatewayAdminResponse> {
  const cap = await readCap(context.world, context.db);
  // The form field has no currency sign.
  const amount = cap.amount === null ? '' : formatYuan(cap.amount).slice(1);
  return renderCapForm(context, { amount, version: cap.version });
}

function renderCapForm(
  context: GatewayAdminContext,
  view: { amount: string; version: number; errors?: FieldErrors; notice?: Html },
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const { amount, version, errors = {}, notice = null } = view;
  return renderActionPage(context, {
    title: messages.setCap,
    section: 'prices',
    errors,
    notice,
    version,
    explains: messages.setCapAbout,
    action: '/admin/prices/allowance',
    label: messages.save,
    back: '/admin/prices',
    fields: renderTextField({
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
  const amount = formInput === null ? null : parseCnyInput(formInput);
  const version = versionOf(request.form) ?? 0;
  if (formInput !== null && (amount === null || amount < 0n)) {
    const errors = { amount: messages.amountWrong };
    return renderCapForm(context, { amount: formInput, version, errors });
  }
  const before = await readCap(world, db);
  const formatCap = (cap: MicroFen | null) => (cap === null ? null : formatYuan(cap));
  const isSaved = await withAudit(world, db, session, async (tx) => {
    const outcome = await setCap(world, tx, { amount, version, actor: session.name });
    const states = { before: { cap: formatCap(before.amount) }, after: { cap: formatCap(amount) } };
    const auditEntry = { action: 'cap', kind: 'allowance', subject: 'cap', ...states, note: null };
    return { outcome, entry: outcome ? auditEntry : null };
  });
  if (isSaved) return redirectWithNotice('/admin/prices', 'cap');
  const currentCap = formatCap(before.amount) ?? messages.noCap;
  const difference = {
    label: messages.capOfAll,
    currentValue: currentCap,
    formInput: formatCap(amount) ?? messages.noCap,
  };
  const editor = await findLastEditor(context, 'allowance', 'cap');
  const notice = renderConflictNotice(context, [difference], editor);
  return renderCapForm(context, { amount: formInput ?? '', version: before.version, notice });
}
