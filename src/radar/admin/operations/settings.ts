// The settings of this process with their origin, read-only. The page does not show secrets, only
// whether they are set.

import { html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
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
    main: html`${renderPageHead(messages.sections.settings, messages.settingsAbout)}
${renderListTable(
  [
    { label: messages.setting },
    { label: messages.value, isSelfExplanatory: true },
    { label: messages.from, isSelfExplanatory: true },
  ],
  settings.map((setting) => [
    rowHeading(html`<code>${setting.name}</code>`),
    { content: formatSetting(setting), className: 'value' },
    { content: messages.origins[setting.from], className: 'nowrap meta' },
  ]),
  { isStacked: true },
)}`,
  };

  function formatSetting({ value, isSecret }: SettingView) {
    if (value === null) return html`<span class="meta">${messages.notSet}</span>`;
    if (value === '[]') return html`<span class="meta">${messages.emptyList}</span>`;
    return isSecret ? html`<span class="meta">${messages.hidden}</span>` : value;
  }
}
