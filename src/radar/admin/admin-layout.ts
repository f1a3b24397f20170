// The layout of the admin area: sections, the signed-in operator and the sign-out button.

import { type Html, html } from '../../kernel/html/html.ts';
import { renderFormPage, renderKeysButton } from '../../kernel/web/form-page.ts';
import { renderButton, renderPostForm } from '../../kernel/web/forms.ts';
import { sectionsFor } from '../../operators/roles.ts';
import type { RadarAdminSection, RadarPageContext } from './admin-context.ts';
import { adminMessages } from './messages/messages.ts';

const sections: readonly RadarAdminSection[] = [
  'sources',
  'items',
  'stories',
  'ranking',
  'reports',
  'channels',
  'runs',
  'health',
  'model',
  'settings',
  'operators',
  'audit',
];

export type AdminPageView = {
  readonly title: string;
  readonly section: RadarAdminSection | null;
  readonly main: Html;
  /** Interval at which the page reloads without a script; absent: no reload. */
  readonly refreshSeconds?: number;
};

export function renderAdminPage(
  context: RadarPageContext,
  { title, section, main, refreshSeconds }: AdminPageView,
): string {
  const { site, session } = context;
  const messages = adminMessages(site.language);
  return renderFormPage(context, {
    title,
    refreshSeconds,
    body: html`<a class="skip" href="#main">${messages.skip}</a>
<header class="masthead form-page">
<a class="name" href="/admin">${site.name}<span class="label">${messages.areaName}</span></a>
<nav aria-label="${messages.navigation}"><ul>
${sectionsFor(session.role, sections, 'read_radar').map(
  (name) =>
    html`<li><a href="/admin/${name}"${name === section && html` aria-current="page"`}>\
${messages.sections[name]}</a></li>
`,
)}</ul></nav>
</header>
<main id="main" tabindex="-1" class="form-page">
${main}
</main>
<footer class="foot form-page">
<div class="signed"><span>${messages.signedInAs(session.name)}</span>
<a href="/admin/profile">${messages.profile}</a>
${renderPostForm(context, { action: '/admin/sign-out' }, renderButton(messages.signOut, 'link'))}
<a href="/">${messages.toRadar}</a>
${renderKeysButton(site.language)}</div>
<p>${messages.times}</p>
</footer>`,
  });
}
