// Lists, creates and revokes invitation codes. The codes are shown once, to the operator who
// creates them.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { wasFormApplied, withAudit } from '../../../operators/audit-log.ts';
import {
  type CreatedInvite,
  type Invite,
  listInvites,
  makeInvites,
  revokeInvite,
} from '../../accounts/invites.ts';
import { redirectWithNotice, renderActionPage, renderDoneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { isFormId, readFields, readWholeNumber, renderOnceField } from '../form-fields.ts';
import { adminMessages } from '../messages/admin.ts';
import { renderCodesPage } from '../money/codes-page.ts';

const MAX_COUNT = 100;
const MAX_DAYS = 365;
const MAX_NOTE_LENGTH = 200;
const inviteFields = ['once', 'count', 'days', 'note'] as const;
type InvitationInput = Readonly<Record<(typeof inviteFields)[number], string>>;

export async function invitationsPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const messages = adminMessages(context.site.language);
  const invites = await listInvites(context.world, context.db);
  const makeLink = html`<a class="button" href="/admin/invitations/make">${messages.makeInvites}\
</a>`;
  return {
    kind: 'page',
    title: messages.sections.invitations,
    section: 'invitations',
    main: html`${renderPageHead(messages.sections.invitations, messages.invitationsAbout, makeLink)}
${renderDoneNotice(context, request)}
${
  invites.length === 0
    ? html`<p class="empty">${messages.noInvites}\
</p>`
    : renderTable(context, invites)
}`,
  };
}

const stateClass = { open: 'positive', used: '', revoked: 'warning', expired: 'warning' } as const;

function renderTable(context: GatewayAdminContext, invites: readonly Invite[]): Html {
  const { language } = context.site;
  const messages = adminMessages(language);
  const columns = [
    { label: messages.invitation },
    { label: messages.condition, isSelfExplanatory: true },
    { label: messages.note },
    { label: messages.redeemUntil },
    { label: messages.made },
  ];
  return renderListTable(
    columns,
    invites.map((invite) => {
      const { id, prefix, note, state, accountId } = invite;
      const revoke = renderPostForm(
        context,
        { action: `/admin/invitations/${id}/revoke` },
        renderButton(messages.takeBack, 'link'),
      );
      return [
        rowHeading(html`<code>${prefix}…</code>`),
        html`<span class="${stateClass[state]}">${messages.inviteStates[state]}</span>${
          accountId !== null &&
          html`<a class="below" href="/admin/accounts/${accountId}">${accountId}</a>`
        }${state === 'open' && revoke}`,
        note,
        singleLineCell(renderDateTime(context, invite.expiresAt)),
        html`${invite.madeBy}\
<span class="meta below">${renderDateTime(context, invite.createdAt)}</span>`,
      ];
    }),
  );
}

export async function makeInvitesPage(context: GatewayAdminContext): Promise<GatewayAdminResponse> {
  return renderInvitationForm(context, {
    once: context.world.ids.next(),
    count: '1',
    days: '14',
    note: '',
  });
}

function renderInvitationForm(
  context: GatewayAdminContext,
  formInput: InvitationInput,
  errors: FieldErrors = {},
): GatewayAdminResponse {
  const messages = adminMessages(context.site.language);
  return renderActionPage(context, {
    title: messages.makeInvites,
    section: 'invitations',
    errors,
    explains: messages.makeInvitesAbout,
    action: '/admin/invitations/make',
    label: messages.makeInvites,
    back: '/admin/invitations',
    fields: html`${renderOnceField(formInput.once)}${renderTextField({
      name: 'count',
      label: messages.batchFields.count,
      value: formInput.count,
      inputMode: 'numeric',
      error: errors.count,
    })}${renderTextField({
      name: 'days',
      label: messages.inviteDays,
      value: formInput.days,
      inputMode: 'numeric',
      error: errors.days,
    })}${renderTextField({
      name: 'note',
      label: messages.note,
      value: formInput.note,
      help: messages.inviteNoteHelp,
      error: errors.note,
    })}`,
  });
}

export async function makeInvitations(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = adminMessages(site.language);
  const formInput = readFields(request.form, inviteFields);
  const count = readWholeNumber(formInput.count, MAX_COUNT);
  const days = readWholeNumber(formInput.days, MAX_DAYS);
  const errors: FieldErrors = {
    ...(count === null && { count: messages.numberWrong(1, MAX_COUNT) }),
    ...(days === null && { days: messages.numberWrong(1, MAX_DAYS) }),
    ...([...formInput.note].length > MAX_NOTE_LENGTH && {
      note: messages.tooLong(MAX_NOTE_LENGTH),
    }),
    ...(!isFormId(formInput.once) && { '': messages.formUnknown }),
  };
  if (count === null || days === null || Object.keys(errors).length > 0) {
    return renderInvitationForm(context, formInput, errors);
  }
  const { note } = formInput;
  const createdInvites = await withAudit<readonly CreatedInvite[] | null>(
    world,
    db,
    session,
    async (tx) => {
      if (await wasFormApplied(tx, 'invitation', formInput.once))
        return { outcome: null, entry: null };
      const outcome = await makeInvites(world, tx, { count, days, note, madeBy: session.name });
      const subject = outcome[0]?.id ?? '';
      const stateAfter = { count, days, form: formInput.once };
      return {
        outcome,
        entry: {
          action: 'make',
          kind: 'invitation',
          subject,
          before: {},
          after: stateAfter,
          note: note || null,
        },
      };
    },
  );
  if (createdInvites === null) return redirectWithNotice('/admin/invitations', 'codesAgain');
  const codes = createdInvites.map(({ code }) => code);
  return renderCodesPage(context, {
    name: messages.sections.invitations,
    codes,
    section: 'invitations',
    back: '/admin/invitations',
  });
}

export async function revokeInvitation(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session } = context;
  const subject = request.params.id ?? '';
  const isRevoked = await withAudit(world, db, session, async (tx) => {
    const outcome = await revokeInvite(world, tx, subject);
    const states = { before: { state: 'open' }, after: { state: 'revoked' } };
    const auditEntry = { action: 'take_back', kind: 'invitation', subject, ...states, note: null };
    return { outcome, entry: outcome ? auditEntry : null };
  });
  return redirectWithNotice('/admin/invitations', isRevoked ? 'takeBack' : 'tooLate');
}
