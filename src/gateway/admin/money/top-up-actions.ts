// Operator actions on a top-up: sync with the provider, forgive a debt, or close a top-up that was
// settled elsewhere. Each action is in the audit log. A concurrent change is shown first.

import { type Html, html } from '../../../kernel/html/html.ts';
import { conflictNotice, textOf } from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  type ManualAction,
  manualActionOf,
  resolveManually,
} from '../../wallet/top-ups/resolve-manually.ts';
import type { TopUp } from '../../wallet/top-ups/top-up.ts';
import { actionPage, reasonField, redirectWithNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { lastEditor } from '../audit.ts';
import { adminMessages } from '../messages/admin.ts';
import { yuan } from './format-money.ts';
import { requireTopUp } from './top-up.ts';

type TopUpLookup = Awaited<ReturnType<typeof requireTopUp>>;

/** The changed fields of a top-up in the audit log. */
const stateOf = ({ state, refunded, disputed, forgiven, unreclaimed }: TopUp) => ({
  state,
  refunded: yuan(refunded),
  disputed: yuan(disputed),
  forgiven: yuan(forgiven),
  owed: yuan(unreclaimed),
});

export async function syncAgain(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, topUps } = context;
  const before = await requireTopUp(context, request);
  // Outside of a transaction, because the provider can respond slowly.
  await topUps.sync(before.id);
  const after = await requireTopUp(context, request);
  await withAudit(world, db, session, async () => {
    const states = { before: stateOf(before), after: stateOf(after) };
    const entry = { action: 'look', kind: 'top_up', subject: before.id, ...states, note: null };
    return { outcome: null, entry };
  });
  return redirectWithNotice(`/admin/top-ups/${before.id}`, 'look');
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
  const now = manualActionOf(topUp);
  const isDebt = now.kind === 'forgive';
  return actionPage(context, {
    title: isDebt ? messages.forgiveOf(yuan(unreclaimed)) : messages.closeOf(yuan(amount)),
    section: 'top-ups',
    explains: isDebt
      ? [messages.forgiveAbout(email, yuan(unreclaimed)), messages.forgiveThen]
      : [messages.closeAbout],
    action: `/admin/top-ups/${id}/settle`,
    label: isDebt ? messages.forgive : messages.close,
    isDanger: true,
    back: `/admin/top-ups/${id}`,
    notice: notice ?? null,
    errors: problem === undefined ? {} : { reason: problem },
    fields: html`<input type="hidden" name="seen" value="${expectedActionField(now)}">\
${reasonField(context, reason, problem)}`,
  });
}

/** The state at page load: the debt in micro-fen, or the kind. */
const expectedActionField = (expected: ManualAction) =>
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
  const before = await requireTopUp(context, request);
  const path = `/admin/top-ups/${before.id}`;
  const reason = textOf(request.form, 'reason');
  const expected = readExpectedAction(request.form.get('seen') ?? '');
  if (reason === null && manualActionOf(before).kind !== 'nothing') {
    return renderActionForm(context, before, { problem: messages.reasonMissing });
  }
  const action = expected.kind === 'forgive' ? 'forgive' : 'close';
  const after = await withAudit(world, db, session, async (tx) => {
    const outcome = await resolveManually(tx, before.id, expected);
    if (outcome === null) return { outcome, entry: null };
    const states = { before: stateOf(before), after: stateOf(outcome) };
    const entry = { action, kind: 'top_up', subject: before.id, ...states, note: reason };
    return { outcome, entry };
  });
  if (after !== null) return redirectWithNotice(path, action);
  const now = await requireTopUp(context, request);
  // Redirects to the top-up's page, which shows that no problem remains.
  if (manualActionOf(now).kind === 'nothing') return { kind: 'moved', to: path };
  const formInput = expected.kind === 'forgive' ? yuan(expected.owed) : '–';
  const difference = { label: messages.owed, now: yuan(now.unreclaimed), formInput };
  const editor = await lastEditor(context, 'top_up', now.id);
  const notice = conflictNotice(context, [difference], editor);
  return renderActionForm(context, now, { reason: reason ?? '', notice });
}
