// Suspends and resumes an account.

import { Fault } from '../../../kernel/errors/fault.ts';
import { html } from '../../../kernel/html/html.ts';
import { textOf } from '../../../kernel/web/forms.ts';
import { audited } from '../../../operators/audit-log.ts';
import { type Account, resumeAccount, suspendAccount } from '../../accounts/account.ts';
import { actionPage, reasonField, redirectWithNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { adminWords } from '../messages/admin.ts';
import { accountNamed } from './find-account.ts';

type Turn = 'suspend' | 'resume';

const turned = { suspend: 'suspended', resume: 'active' } as const;

export async function statusPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
  turn: Turn,
): Promise<GatewayAdminResponse> {
  const account = await accountNamed(context, request);
  const path = `/admin/accounts/${account.id}`;
  return account.status === turned[turn]
    ? { kind: 'moved', to: path }
    : drawTurn(context, account, turn, null);
}

function drawTurn(
  context: GatewayAdminContext,
  { id, email }: Account,
  turn: Turn,
  problem: string | null,
): GatewayAdminResponse {
  const words = adminWords(context.site.language);
  const isSuspend = turn === 'suspend';
  return actionPage(context, {
    title: isSuspend ? words.suspendOf(email) : words.resumeOf(email),
    section: 'accounts',
    explains: isSuspend ? words.suspendAbout : words.resumeAbout,
    action: `/admin/accounts/${id}/${turn}`,
    label: isSuspend ? words.suspend : words.resume,
    isDanger: isSuspend,
    back: `/admin/accounts/${id}`,
    errors: problem === null ? {} : { reason: problem },
    fields: html`${reasonField(context, '', problem ?? undefined)}`,
  });
}

export async function changeStatus(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
  turn: Turn,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const account = await accountNamed(context, request);
  const note = textOf(request.form, 'reason');
  if (note === null)
    return drawTurn(context, account, turn, adminWords(site.language).reasonMissing);
  const { id: subject, status } = account;
  const change = turn === 'suspend' ? suspendAccount : resumeAccount;
  await audited(world, db, session, async (tx) => {
    if (!(await change(tx, subject))) throw new Fault('not_found', 'No such account.');
    const states = { before: { status }, after: { status: turned[turn] } };
    const entry = { action: turn, kind: 'account', subject, ...states, note };
    // An unchanged status, after a concurrent change, needs no audit entry.
    return { outcome: null, entry: status === turned[turn] ? null : entry };
  });
  return redirectWithNotice(`/admin/accounts/${subject}`, turn);
}
