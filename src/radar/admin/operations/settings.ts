// The settings of the radar with their origin, read-only. The page does not show secrets, only
// whether they are set.
import { join } from 'node:path';
import { html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { readSetupSettings } from '../../../operators/setup-settings.ts';
import type { RadarAdminResponse, RadarPageContext, SettingView } from '../admin-context.ts';
import { adminMessages } from '../messages/messages.ts';

export async function settingsPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { settings, site } = context;
  const messages = adminMessages(site.language);
  const storedValues = await readStoredValues(context);
  const usedSettings = settings.map((setting): SettingView => {
    const value = storedValues[setting.name];
    const isStored = setting.from === 'default' && value !== undefined;
    return isStored ? { ...setting, value, from: 'setup' } : setting;
  });
  return {
    kind: 'page',
    title: messages.sections.settings,
    section: 'settings',
    main: html`${renderPageHead(
      messages.sections.settings,
      messages.settingsAbout,
      html`<a class="button" href="/admin/setup">${messages.origins.setup}</a>`,
    )}
${renderListTable(
  [
    { label: messages.setting },
    { label: messages.value, isSelfExplanatory: true },
    { label: messages.from, isSelfExplanatory: true },
  ],
  usedSettings.map((setting) => [
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

/** Values that the setup page stored, by the names of the settings as this page lists them. */
async function readStoredValues({
  world,
  db,
}: RadarPageContext): Promise<Readonly<Record<string, string | undefined>>> {
  const { name, language, editorial, model } = await readSetupSettings(world, db);
  return {
    name,
    RADAR_LANGUAGE: language,
    editorial: editorial && join('editorial', editorial),
    MODEL_URL: model?.url,
    MODEL_NAME: model?.name,
    MODEL_KEY: model?.key ?? undefined,
  };
}
