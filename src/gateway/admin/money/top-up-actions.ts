// What operators do about a top-up: have the provider asked again, let a debt go, or close what was
// settled elsewhere. Each is in the record; what somebody else has changed meanwhile is shown
// first.

import { type Html, html } from '../../../kernel/html/html.ts';
import { conflictNotice, textOf } from '../../../kernel/web/forms.ts';
import { audited } from '../../../operators/audit-log.ts';
import { type ByHand, byHand, settleByHand } from '../../wallet/top-ups/resolve-manually.ts';
import type { TopUp } from '../../wallet/top-ups/top-up.ts';
import { actPage, moved, reasonField } from '../action-page.ts';
import type { AdminAnswer, AdminAsked, DeskContext } from '../admin-context.ts';
import { lastEditor } from '../audit.ts';
import { adminWords } from '../messages/admin.ts';
import { yuan } from './format-money.ts';
import { topUpNamed } from './top-up.ts';

type Named = Awaited<ReturnType<typeof topUpNamed>>;

/** What of it changes, as the record shows it. */
const stateOf = ({ state, refunded, disputed, forgiven, short }: TopUp) => ({
  state,
  refunded: yuan(refunded),
  disputed: yuan(disputed),
  forgiven: yuan(forgiven),
  owed: yuan(short),
});

export async function lookAgain(context: DeskContext, asked: AdminAsked): Promise<AdminAnswer> {
  const { world, db, session, topUps } = context;
  const before = await topUpNamed(context, asked);
  // Asked for outside of a transaction: the provider may take its time.
  await topUps.look(before.id);
  const after = await topUpNamed(context, asked);
  await audited(world, db, session.name, async () => {
    const states = { before: stateOf(before), after: stateOf(after) };
    const entry = { action: 'look', kind: 'top_up', subject: before.id, ...states, note: null };
    return { outcome: null, entry };
  });
  return moved(`/admin/top-ups/${before.id}`, 'look');
}

export async function settlePage(context: DeskContext, asked: AdminAsked): Promise<AdminAnswer> {
  const topUp = await topUpNamed(context, asked);
  return byHand(topUp).kind === 'nothing'
    ? { kind: 'moved', to: `/admin/top-ups/${topUp.id}` }
    : draw(context, topUp, {});
}

function draw(
  context: DeskContext,
  topUp: Named,
  { problem, reason = '', notice }: { problem?: string; reason?: string; notice?: Html },
): AdminAnswer {
  const words = adminWords(context.site.language);
  const { id, amount, short, email } = topUp;
  const now = byHand(topUp);
  const isDebt = now.kind === 'forgive';
  return actPage(context, {
    title: isDebt ? words.forgiveOf(yuan(short)) : words.closeOf(yuan(amount)),
    section: 'top-ups',
    explains: isDebt
      ? [words.forgiveAbout(email, yuan(short)), words.forgiveThen]
      : [words.closeAbout],
    action: `/admin/top-ups/${id}/settle`,
    label: isDebt ? words.forgive : words.close,
    isDanger: true,
    back: `/admin/top-ups/${id}`,
    notice: notice ?? null,
    errors: problem === undefined ? {} : { reason: problem },
    fields: html`<input type="hidden" name="seen" value="${seenAs(now)}">\
${reasonField(context, reason, problem)}`,
  });
}

/** What whoever acts has seen: the debt in micro-fen, or that it was refused. */
const seenAs = (seen: ByHand) => (seen.kind === 'forgive' ? String(seen.owed) : seen.kind);

function readSeen(text: string): ByHand {
  if (/^\d{1,19}$/.test(text)) return { kind: 'forgive', owed: BigInt(text) };
  return { kind: text === 'close' ? 'close' : 'nothing' };
}

export async function settle(context: DeskContext, asked: AdminAsked): Promise<AdminAnswer> {
  const { world, db, session, site } = context;
  const words = adminWords(site.language);
  const before = await topUpNamed(context, asked);
  const path = `/admin/top-ups/${before.id}`;
  const reason = textOf(asked.form, 'reason');
  const seen = readSeen(asked.form.get('seen') ?? '');
  if (reason === null && byHand(before).kind !== 'nothing') {
    return draw(context, before, { problem: words.reasonMissing });
  }
  const action = seen.kind === 'forgive' ? 'forgive' : 'close';
  const after = await audited(world, db, session.name, async (tx) => {
    const outcome = await settleByHand(tx, before.id, seen);
    if (outcome === null) return { outcome, entry: null };
    const states = { before: stateOf(before), after: stateOf(outcome) };
    const entry = { action, kind: 'top_up', subject: before.id, ...states, note: reason };
    return { outcome, entry };
  });
  if (after !== null) return moved(path, action);
  const now = await topUpNamed(context, asked);
  // Nothing is left to settle: its page says so.
  if (byHand(now).kind === 'nothing') return { kind: 'moved', to: path };
  const typed = seen.kind === 'forgive' ? yuan(seen.owed) : '–';
  const difference = { label: words.owed, now: yuan(now.short), typed };
  const who = await lastEditor(context, 'top_up', now.id);
  const notice = conflictNotice(context, [difference], who);
  return draw(context, now, { reason: reason ?? '', notice });
}
