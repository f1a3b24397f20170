// Messages for an operator whose role lacks a right: a whole page, or a text below a form.
import { html } from '../../kernel/html/html.ts';
import { renderPageHead } from '../../kernel/web/form-page.ts';
import { operatorPageMessages } from './messages.ts';
import type { OperatorPageContext, OperatorPageResponse } from './operator-page-context.ts';
import { PROFILE_PATH } from './profile-page.ts';

type PageContext = Pick<OperatorPageContext, 'site' | 'session'>;

export function refusedPage({ site, session }: PageContext): OperatorPageResponse & {
  readonly kind: 'page';
} {
  const messages = operatorPageMessages(site.language);
  const { name, role } = session;
  const roleName = messages.roles[role];
  return {
    kind: 'page',
    status: 403,
    title: messages.refused,
    section: 'operators',
    main: html`${renderPageHead(messages.refused, messages.profileAbout(name, roleName))}
<p class="explains">${messages.refusedAbout(roleName, messages.roleAbout[role])}</p>
<p class="more"><a class="button" href="${PROFILE_PATH}">${messages.profile}</a></p>`,
  };
}

export function refusedForm({ site, session }: PageContext): string {
  const messages = operatorPageMessages(site.language);
  return messages.refusedForm(messages.roles[session.role]);
}
