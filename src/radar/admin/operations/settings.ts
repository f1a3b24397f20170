// The settings of this process with their origin, read-only. For secrets it shows only whether they
// are set.

import { html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import type { RadarAdminResponse, RadarPageContext, SettingView } from '../admin-context.ts';
import { adminWords } from '../messages/messages.ts';

export async function settingsPage({
  settings,
  site,
}: RadarPageContext): Promise<RadarAdminResponse> {
  const words = adminWords(site.language);
  return {
    kind: 'page',
    title: words.sections.settings,
    section: 'settings',
    main: html`${pageHead(words.sections.settings, words.settingsAbout)}
<div class="scroll"><table class="list stacks"><thead><tr><th scope="col">${words.setting}</th>\
<th scope="col">${words.value}</th><th scope="col">${words.from}</th></tr></thead><tbody>
${settings.map(
  (setting) => html`<tr><th scope="row"><code>${setting.name}</code></th>\
<td class="value">${shown(setting)}</td>\
<td class="nowrap meta">${words.origins[setting.from]}</td></tr>
`,
)}</tbody></table></div>`,
  };

  function shown({ value, isSecret }: SettingView) {
    if (value === null) return html`<span class="meta">${words.notSet}</span>`;
    if (value === '[]') return html`<span class="meta">${words.emptyList}</span>`;
    return isSecret ? html`<span class="meta">${words.hidden}</span>` : value;
  }
}
