// One act on a page of its own: what will happen in plain words, the form, and the way back. And
// what was done, said once at the top of the page that follows.

import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { pageHead } from '../../kernel/web/form-page.ts';
import {
  button,
  errorSummary,
  type FieldErrors,
  postForm,
  textField,
} from '../../kernel/web/forms.ts';
import type { AdminAsked, DeskContext, PageAnswer, Section } from './admin-context.ts';
import { adminWords, type DoneCode, isDoneCode } from './messages/admin.ts';

export type Act = {
  readonly title: string;
  readonly section: Section;
  /** What will happen, each a paragraph. */
  readonly explains: readonly string[];
  readonly action: string;
  readonly label: string;
  readonly isDanger?: boolean;
  readonly back: string;
  readonly fields: Html;
  /** As whoever acts has seen what it is done to. */
  readonly version?: number;
  readonly errors?: FieldErrors;
  /** That somebody else was faster. */
  readonly notice?: Html | null;
  readonly beside?: Html;
};

/** 409 with a notice, 422 with errors. */
export function actPage(context: DeskContext, act: Act): PageAnswer {
  const words = adminWords(context.site.language);
  const { title, section, errors = {}, notice = null, action, version, beside } = act;
  const status = notice !== null ? 409 : Object.keys(errors).length > 0 ? 422 : 200;
  const body = html`${act.fields}
<div class="acts spaced">${button(act.label, act.isDanger ? 'danger' : 'main')}
<a href="${act.back}">${words.cancel}</a></div>`;
  const form = html`${act.explains.map(
    (text) => html`<p class="explains">${text}</p>
`,
  )}${postForm(context, { action, version }, body)}`;
  return {
    kind: 'page',
    status,
    title,
    section,
    main: html`${pageHead(title, null)}
${notice}${errorSummary(context, errors)}
${
  beside === undefined
    ? html`<div class="act">${form}</div>`
    : html`<div class="two wide-side"><div>${form}</div><aside>${beside}</aside></div>`
}`,
  };
}

/** Why, in the words of whoever acts: it stands in the record. */
export function reasonField({ site }: DeskContext, value: string, error?: string): Html {
  const words = adminWords(site.language);
  const field = { name: 'reason', label: words.reason, help: words.reasonHelp };
  return textField({ ...field, value, error });
}

export const moved = (path: string, done: DoneCode) =>
  ({ kind: 'moved', to: `${path}?${new URLSearchParams({ done })}` }) as const;

/** The address carries only which of our own sentences it is. */
export function doneNotice({ site }: DeskContext, { query }: AdminAsked): Html {
  const done = query.get('done');
  if (done === null || !isDoneCode(done)) return nothing;
  const words = adminWords(site.language);
  return html`<div class="notice positive" role="status"><p>${words.done[done]}</p></div>`;
}
