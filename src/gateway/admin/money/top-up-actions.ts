// Applies an operator's action to a top-up: sync with the provider, forgive a debt, or close a
// top-up with a refused payment. Each action is in the audit log. After a concurrent change the
// form is shown again, with the change.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderConflictNotice, textOf } from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  type ManualAction,
  manualActionOf,
  resolveManually,
} from '../../wallet/top-ups/resolve-manually.ts';
import type { TopUp } from '../../wallet/top-ups/top-up.ts';
import { redirectWithNotice, renderActionPage, renderReasonField } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { findLastEditor } from '../audit.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan } from './format-money.ts';
import { requireTopUp } from './top-up.ts';

type TopUpLookup = Awaited<ReturnType<typeof requireTopUp>>;

/** The changed fields of a top-up in the audit log. */
const auditStateOf = ({ state, refunded, disputed, forgiven, unreclaimed }: TopUp) => ({
  state,
  refunded: formatYuan(refunded),
  disputed: formatYuan(disputed),
  forgiven: formatYuan(forgiven),
  owed: formatYuan(unreclaimed),
});

export async function syncWithProvider(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, topUps } = context;
  const topUpBefore = await requireTopUp(context, request);
  // The sync runs outside of a transaction, because the provider can respond slowly.
  await topUps.sync(topUpBefore.id);
  const topUpAfter = await requireTopUp(context, request);
  await withAudit(world, db, session, async () => {
    const states = { before: auditStateOf(topUpBefore), after: auditStateOf(topUpAfter) };
    const auditEntry = {
      action: 'look',
      kind: 'top_up',
      subject: topUpBefore.id,
      ...states,
      note: null,
    };
    return { outcome: null, entry: auditEntry };
  });
  return redirectWithNotice(`/admin/top-ups/${topUpBefore.id}`, 'look');
}

export async function resolvePage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const topUp = await requireTopUp(context, request);
  return manualActionOf(topUp).kind === 'nothing'
    ? { kind: 'moved', to: `/admin/top-ups/${topUp.id}` }
    : renderActionForm(context, topUp, {});
}

function renderActionForm(
  context: GatewayAdminContext,
  topUp: TopUpLookup,
  { problem, reason = '', notice }: { problem?: string; reason?: string; notice?: Html },
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  const { id, amount, unreclaimed, email } = topUp;
  const manualAction = manualActionOf(topUp);
  const isDebt = manualAction.kind === 'forgive';
  return renderActionPage(context, {
    title: isDebt
      ? messages.forgiveOf(formatYuan(unreclaimed))
      : messages.closeOf(formatYuan(amount)),
    section: 'top-ups',
    explains: isDebt
      ? [messages.forgiveAbout(email, formatYuan(unreclaimed)), messages.forgiveThen]
      : [messages.closeAbout],
    action: `/admin/top-ups/${id}/settle`,
    label: isDebt ? messages.forgive : messages.close,
    isDanger: true,
    back: `/admin/top-ups/${id}`,
    notice: notice ?? null,
    errors: problem === undefined ? {} : { reason: problem },
    fields: html`<input type="hidden" name="seen" value="${formatExpectedAction(manualAction)}">\
${renderReasonField(context, reason, problem)}`,
  });
}

/** The action that the page offered, as a field value: the debt in micro-fen, or the kind. */
const formatExpectedAction = (expected: ManualAction) =>
  expected.kind === 'forgive' ? String(expected.owed) : expected.kind;

function readExpectedAction(text: string): ManualAction {
  if (/^\d{1,19}$/.test(text)) return { kind: 'forgive', owed: BigInt(text) };
  return { kind: text === 'close' ? 'close' : 'nothing' };
}

export async function resolveTopUp(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const topUpBefore = await requireTopUp(context, request);
  const path = `/admin/top-ups/${topUpBefore.id}`;
  const reason = textOf(request.form, 'reason');
  const expected = readExpectedAction(request.form.get('seen') ?? '');
  if (reason === null && manualActionOf(topUpBefore).kind !== 'nothing') {
    return renderActionForm(context, topUpBefore, { problem: messages.reasonMissing });
  }
  const action = expected.kind === 'forgive' ? 'forgive' : 'close';
  const resolvedTopUp = await withAudit(world, db, session, async (tx) => {
    const outcome = await resolveManually(tx, topUpBefore.id, expected);
    if (outcome === null) return { outcome, entry: null };
    const states = { before: auditStateOf(topUpBefore), after: auditStateOf(outcome) };
    const auditEntry = { action, kind: 'top_up', subject: topUpBefore.id, ...states, note: reason };
    return { outcome, entry: auditEntry };
  });
  if (resolvedTopUp !== null) return redirectWithNotice(path, action);
  const currentTopUp = await requireTopUp(context, request);
  // Redirects to the top-up's page, which shows that no problem remains.
  if (manualActionOf(currentTopUp).kind === 'nothing') return { kind: 'moved', to: path };
  const formInput = expected.kind === 'forgive' ? formatYuan(expected.owed) : '–';
  const difference = {
    label: messages.owed,
    currentValue: formatYuan(currentTopUp.unreclaimed),
    formInput,
  };
  const editor = await findLastEditor(context, 'top_up', currentTopUp.id);
  const notice = renderConflictNotice(context, [difference], editor);
  return renderActionForm(context, currentTopUp, { reason: reason ?? '', notice });
}
