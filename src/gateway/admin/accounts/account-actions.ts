// Stopping an account and letting it go on.

import { Fault } from '../../../kernel/errors/fault.ts';
import { html } from '../../../kernel/html/html.ts';
import { textOf } from '../../../kernel/web/forms.ts';
import { audited } from '../../../operators/audit-log.ts';
import { type Account, resumeAccount, suspendAccount } from '../../accounts/account.ts';
import { actPage, moved, reasonField } from '../action-page.ts';
import type { AdminAnswer, AdminAsked, DeskContext } from '../admin-context.ts';
import { adminWords } from '../messages/admin.ts';
import { accountNamed } from './find-account.ts';

type Turn = 'suspend' | 'resume';

const turned = { suspend: 'suspended', resume: 'active' } as const;

export async function turnPage(
  context: DeskContext,
  asked: AdminAsked,
  turn: Turn,
): Promise<AdminAnswer> {
  const account = await accountNamed(context, asked);
  const path = `/admin/accounts/${account.id}`;
  return account.status === turned[turn]
    ? { kind: 'moved', to: path }
    : drawTurn(context, account, turn, null);
}

function drawTurn(
  context: DeskContext,
  { id, email }: Account,
  turn: Turn,
  problem: string | null,
): AdminAnswer {
  const words = adminWords(context.site.language);
  const isSuspend = turn === 'suspend';
  return actPage(context, {
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

export async function turnAccount(
  context: DeskContext,
  asked: AdminAsked,
  turn: Turn,
): Promise<AdminAnswer> {
  const { world, db, session, site } = context;
  const account = await accountNamed(context, asked);
  const note = textOf(asked.form, 'reason');
  if (note === null)
    return drawTurn(context, account, turn, adminWords(site.language).reasonMissing);
  const { id: subject, status } = account;
  const change = turn === 'suspend' ? suspendAccount : resumeAccount;
  await audited(world, db, session.name, async (tx) => {
    if (!(await change(tx, subject))) throw new Fault('not_found', 'No such account.');
    const states = { before: { status }, after: { status: turned[turn] } };
    const entry = { action: turn, kind: 'account', subject, ...states, note };
    // Somebody else may have done it meanwhile: then there is nothing to write down.
    return { outcome: null, entry: status === turned[turn] ? null : entry };
  });
  return moved(`/admin/accounts/${subject}`, turn);
}
