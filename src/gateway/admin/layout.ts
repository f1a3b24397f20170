// Renders the layout of the gateway's admin pages: sections, signed-in operator, sign-out.

import { html } from '../../kernel/html/html.ts';
import { renderFormPage, renderKeysButton } from '../../kernel/web/form-page.ts';
import { renderButton, renderPostForm } from '../../kernel/web/forms.ts';
import { renderReplicaNotice } from '../../kernel/web/replica-notice.ts';
import { sectionsFor } from '../../operators/roles.ts';
import { listLagMs } from '../wallet/history/read-calls.ts';
import { type GatewayAdminContext, type GatewayAdminPage, sections } from './admin-context.ts';
import { adminMessages } from './messages/admin.ts';

export function renderAdminPage(
  context: GatewayAdminContext,
  { title, section, main }: GatewayAdminPage,
): string {
  const { site, session } = context;
  const messages = adminMessages(site.language);
  return renderFormPage(context, {
    title,
    body: html`<a class="skip" href="#main">${messages.skip}</a>
<header class="masthead form-page">
<a class="name" href="/admin">${site.name}<span class="label">${messages.areaName}</span></a>
<nav aria-label="${messages.navigation}"><ul>
${sectionsFor(session.role, sections, 'read_gateway').map(
  (name) =>
    html`<li><a href="/admin${name === 'overview' ? '' : `/${name}`}"\
${name === section && html` aria-current="page"`}>${messages.sections[name]}</a></li>
`,
)}</ul></nav>
</header>
<main id="main" tabindex="-1" class="form-page">
${renderReplicaNotice(listLagMs(context.db), site.language)}
${main}
</main>
<footer class="foot form-page">
<div class="signed"><span>${messages.signedInAs(session.name)}</span>
<a href="/admin/profile">${messages.profile}</a>
${renderPostForm(context, { action: '/admin/sign-out' }, renderButton(messages.signOut, 'link'))}
<a href="/console">${messages.toConsole}</a>
<a href="${site.radarAdminUrl}/admin">${messages.toRadarAdmin}</a>
${renderKeysButton(site.language)}</div>
<p>${messages.times}</p>
</footer>`,
  });
}
