// Page layout of the console: test-mode bar, sections, mode switch, language switch, signed-in
// account and sign-out.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { renderFormPage, renderKeysButton } from '../../../kernel/web/form-page.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { renderReplicaNotice } from '../../../kernel/web/replica-notice.ts';
import { listLagMs } from '../../wallet/history/read-calls.ts';
import type { ConsoleContext, VisitorContext } from './console-context.ts';

export type ConsolePage = {
  readonly title: string;
  readonly body: Html;
  /** Requested path. It selects the current section and is the target of the switches. */
  readonly path: string;
  /** Paths of the existing pages. */
  readonly paths: readonly string[];
};

export function renderConsolePage(context: ConsoleContext, page: ConsolePage): string {
  const { site, messages, livemode, account } = context;
  return renderFormPage(context, {
    title: page.title,
    body: html`<a class="skip" href="#main">${messages.skip}</a>
${
  !livemode &&
  html`<aside class="test-mode" aria-label="${messages.test}">${messages.testBar}\
</aside>`
}
<header class="masthead form-page console">
<a class="name" href="/console">${site.name}<span class="label">${messages.console}</span></a>
${renderModeSwitch(context, page)}
<nav aria-label="${messages.navigation}"><ul>
${renderSections(messages.sections, page)}</ul></nav>
</header>
<main id="main" tabindex="-1" class="form-page">
${renderReplicaNotice(listLagMs(context.db), site.language)}
${page.body}
</main>
<footer class="foot form-page">
<div class="signed"><span>${messages.signedInAs} <b>${account.email}</b></span>
${renderPostForm(context, { action: '/console/sign-out' }, renderButton(messages.signOut, 'link'))}
${renderLanguageSwitch(context, page.path)}
<a href="${site.radarUrl}">${messages.toRadar}</a>
${renderKeysButton(site.language)}</div>
<p>${messages.times}</p>
</footer>`,
  });
}

/** Pages that belong to a section with another path. */
const sectionByPath: Readonly<Record<string, string>> = {
  '/console/top-up': '/console/wallet',
  '/console/statements': '/console/transactions',
  '/console/models': '/console/catalog',
};

function renderSections(
  names: Readonly<Record<string, string>>,
  { path: requestPath, paths }: ConsolePage,
) {
  const [pathname = ''] = requestPath.split('?');
  const path =
    Object.entries(sectionByPath).find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? pathname;
  const currentSection = Object.keys(names)
    .filter((section) => path === section || path.startsWith(`${section}/`))
    .sort((a, b) => b.length - a.length)[0];
  return Object.entries(names)
    .filter(([section]) => paths.includes(section))
    .map(
      ([section, name]) =>
        html`<li><a href="${section}"${section === currentSection && html` aria-current="page"`}>\
${name}</a></li>
`,
    );
}

function renderModeSwitch(context: ConsoleContext, { path }: ConsolePage): Html {
  const { messages, livemode } = context;
  const renderModeButton = (value: boolean, label: string) =>
    html`<button name="livemode" value="${String(value)}" \
aria-pressed="${String(value === livemode)}">${label}</button>`;
  return renderPostForm(
    context,
    { action: '/console/mode', className: 'mode' },
    html`<input type="hidden" name="to" value="${path}">\
<div role="group" aria-label="${messages.mode}">${renderModeButton(true, messages.live)}\
${renderModeButton(false, messages.test)}</div>`,
  );
}

function renderLanguageSwitch(context: VisitorContext, path: string): Html {
  const { messages, site } = context;
  const otherLanguage = site.language === 'en' ? 'zh-CN' : 'en';
  return renderPostForm(
    context,
    { action: '/console/language' },
    html`<input type="hidden" name="to" value="${path}">\
<button class="link" name="language" value="${otherLanguage}" lang="${otherLanguage}">\
${messages.otherLanguage}\
</button>`,
  );
}

/** Renders a page without a sign-in: one narrow column. */
export function renderVisitorPage(
  context: VisitorContext,
  { title, body, path }: Pick<ConsolePage, 'title' | 'body' | 'path'>,
): string {
  const { site, messages } = context;
  return renderFormPage(context, {
    title,
    body: html`<a class="skip" href="#main">${messages.skip}</a>
<main id="main" tabindex="-1" class="compact">
<p class="label"><a href="/console">${site.name} · ${messages.console}</a></p>
<h1>${title}</h1>
${body}
</main>
<footer class="foot compact">
<div class="signed">${renderLanguageSwitch(context, path)}
<a href="${site.radarUrl}">${messages.toRadar}</a></div>
</footer>`,
  });
}

/** Returns the notice for an account whose address is not confirmed. */
export function formatUnconfirmedAddress({ messages, links, account }: ConsoleContext): string {
  return links === null ? messages.awaitsOperator(account.email) : messages.awaits(account.email);
}

/** Renders a link to the mails of a demonstration. */
export function renderInboxNotice({ messages, inbox }: VisitorContext): Html {
  if (inbox === null) return nothing;
  return html`<p class="notice">${messages.inbox} <a class="link" href="${inbox}">${inbox}</a></p>`;
}

/** `isKept`: the browser has stored the earlier input for the next page. */
export function renderProblemNotice(text: string, { isKept = false } = {}): Html {
  return html`<div class="notice negative" role="alert" tabindex="-1" data-focus\
${isKept && html` data-kept`}><p>${text}</p></div>`;
}
