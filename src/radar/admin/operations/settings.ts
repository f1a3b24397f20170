// The settings of this process with their origin, read-only. For secrets it shows only whether they
// are set.

import { html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import type { RadarAdminResponse, RadarPageContext, SettingView } from '../admin-context.ts';
import { adminMessages } from '../messages/messages.ts';

export async function settingsPage({
  settings,
  site,
}: RadarPageContext): Promise<RadarAdminResponse> {
  const messages = adminMessages(site.language);
  return {
    kind: 'page',
    title: messages.sections.settings,
    section: 'settings',
    main: html`${pageHead(messages.sections.settings, messages.settingsAbout)}
<div class="scroll"><table class="list stacks"><thead><tr><th scope="col">${messages.setting}</th>\
<th scope="col">${messages.value}</th><th scope="col">${messages.from}</th></tr></thead><tbody>
${settings.map(
  (setting) => html`<tr><th scope="row"><code>${setting.name}</code></th>\
<td class="value">${formatSetting(setting)}</td>\
<td class="nowrap meta">${messages.origins[setting.from]}</td></tr>
`,
)}</tbody></table></div>`,
  };

  function formatSetting({ value, isSecret }: SettingView) {
    if (value === null) return html`<span class="meta">${messages.notSet}</span>`;
    if (value === '[]') return html`<span class="meta">${messages.emptyList}</span>`;
    return isSecret ? html`<span class="meta">${messages.hidden}</span>` : value;
  }
}
