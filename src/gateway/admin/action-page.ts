// Renders the page of one action: its effect, the form and the link back. The next page shows a
// notice of the completed action at its top.

import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { renderPageHead } from '../../kernel/web/form-page.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../kernel/web/forms.ts';
import type {
  GatewayAdminContext,
  GatewayAdminPage,
  GatewayAdminRequest,
  GatewayAdminSection,
} from './admin-context.ts';
import { adminMessages, type GatewayNoticeCode, isNoticeCode } from './messages/admin.ts';

export type ActionPage = {
  readonly title: string;
  readonly section: GatewayAdminSection;
  /** The effects of the action. Each text is one paragraph. */
  readonly explains: readonly string[];
  /** Address that receives the form. */
  readonly action: string;
  /** Label of the submit button. */
  readonly label: string;
  readonly isDanger?: boolean;
  /** Address of the link "cancel". */
  readonly back: string;
  readonly fields: Html;
  /** Version of the object when the page was loaded. */
  readonly version?: number;
  readonly errors?: FieldErrors;
  /** Notice of a concurrent change. */
  readonly notice?: Html | null;
  /** The effect of the entered values, shown above the form. */
  readonly effect?: Html | null;
  readonly sideContent?: Html;
};

/** The status is 409 with a notice, otherwise 422 with errors, otherwise 200. */
export function renderActionPage(context: GatewayAdminContext, page: ActionPage): GatewayAdminPage {
  const messages = adminMessages(context.site.language);
  const { title, section, errors = {}, notice = null, action, version, sideContent } = page;
  const statusWithoutNotice = Object.keys(errors).length > 0 ? 422 : 200;
  const status = notice !== null ? 409 : statusWithoutNotice;
  const body = html`${page.fields}
<div class="acts spaced">${renderButton(page.label, page.isDanger ? 'danger' : 'main')}
<a href="${page.back}">${messages.cancel}</a></div>`;
  const form = html`${page.explains.map(
    (text) => html`<p class="explains">${text}</p>
`,
  )}${renderPostForm(context, { action, version }, body)}`;
  return {
    kind: 'page',
    status,
    title,
    section,
    main: html`${renderPageHead(title, null)}
${notice}${page.effect ?? nothing}${renderErrorSummary(context, errors)}
${
  sideContent === undefined
    ? html`<div class="act">${form}</div>`
    : html`<div class="two wide-side"><div>${form}</div><aside>${sideContent}</aside></div>`
}`,
  };
}

/** The reason field. Its text is stored in the audit log. */
export function renderReasonField(
  { site }: GatewayAdminContext,
  value: string,
  error?: string,
): Html {
  const messages = adminMessages(site.language);
  const field = { name: 'reason', label: messages.reason, help: messages.reasonHelp };
  return renderTextField({ ...field, value, error });
}

export const redirectWithNotice = (path: string, done: GatewayNoticeCode) =>
  ({ kind: 'moved', to: `${path}?${new URLSearchParams({ done })}` }) as const;

/** The query has only the code of a fixed message, so a link cannot add text to the page. */
export function renderDoneNotice(
  { site }: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Html {
  const noticeCode = query.get('done');
  if (noticeCode === null || !isNoticeCode(noticeCode)) return nothing;
  const messages = adminMessages(site.language);
  return html`<div class="notice positive" role="status"><p>${messages.done[noticeCode]}</p></div>`;
}
