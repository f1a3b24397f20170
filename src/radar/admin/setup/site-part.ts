// The first part of the setup page: language, zone and name. Values of the environment or the file
// are shown and cannot be changed here.
import { type Html, html } from '../../../kernel/html/html.ts';
import { type FieldErrors, renderChoiceField, renderTextField } from '../../../kernel/web/forms.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { formMessages } from '../../../kernel/web/messages.ts';
import type { OperatorRequest } from '../../../kernel/web/operator-area.ts';
import {
  isZone,
  readSetupSettings,
  type SetupSettings,
} from '../../../operators/setup-settings.ts';
import type { RadarAdminContext, RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';

export const SETUP_PATH = '/admin/setup';
const NAME_MAX = 60;
const languages = ['en', 'zh-CN'] as const;

/** The setup page has the stored language, or the language of the browser when none is stored. */
export async function readSetupSite(
  { world, db, site, setupSettings }: RadarAdminContext,
  { pathname, acceptLanguage }: Pick<OperatorRequest, 'pathname' | 'acceptLanguage'>,
): Promise<RadarAdminContext['site']> {
  if (!pathname.startsWith(SETUP_PATH) || setupSettings.isFixed.language) return site;
  const { language = browserLanguage(acceptLanguage) } = await readSetupSettings(world, db);
  return language === null ? site : { ...site, language };
}

/** The first supported language in the header; null: the header names none. */
function browserLanguage(acceptLanguage: string): Language | null {
  for (const languageRange of acceptLanguage.toLowerCase().split(',')) {
    const [tag = ''] = languageRange.trim().split(';');
    if (tag.startsWith('zh')) return 'zh-CN';
    if (tag.startsWith('en')) return 'en';
  }
  return null;
}

export function renderSitePart(
  { site, setupSettings }: RadarPageContext,
  values: URLSearchParams,
  errors: FieldErrors,
): Html {
  const messages = setupMessages(site.language);
  const { isFixed } = setupSettings;
  const language = isFixed.language
    ? renderFixedValue(site.language, {
        label: messages.languageLabel,
        value: messages.languages[site.language],
        reason: messages.fixedByVariable,
      })
    : renderChoiceField({
        name: 'language',
        label: messages.languageLabel,
        value: values.get('language') ?? site.language,
        choices: languages.map((value) => ({ value, label: messages.languages[value] })),
        error: errors.language,
      });
  const nameField = isFixed.name
    ? renderFixedValue(site.language, {
        label: messages.nameLabel,
        value: site.name,
        reason: messages.fixedByFile,
      })
    : renderTextField({
        name: 'name',
        label: messages.nameLabel,
        value: values.get('name') ?? site.name,
        autocomplete: 'off',
        error: errors.name,
      });
  return html`${language}<div data-browser-zone>${renderChoiceField({
    name: 'zone',
    label: messages.zoneLabel,
    value: values.get('zone') ?? setupSettings.zone,
    choices: zones().map((value) => ({ value, label: value })),
    help: messages.zoneHelp,
    error: errors.zone,
  })}</div>${nameField}`;
}

type FixedValue = { readonly label: string; readonly value: string; readonly reason: string };

/** A value that cannot be changed here, with the reason. */
export const renderFixedValue = (language: Language, { label, value, reason }: FixedValue): Html =>
  html`<div class="field"><p><strong>${label}</strong>\
${formMessages(language).colon}${value}</p><p class="help">${reason}</p></div>
`;

const zones = () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].sort();

export type SiteValues = Pick<SetupSettings, 'language' | 'zone' | 'name'>;

/** Returns the changed settings, and an error for each invalid field. */
export function readSitePart(
  { site, setupSettings }: RadarPageContext,
  form: URLSearchParams,
): { readonly changes: SiteValues; readonly errors: FieldErrors } {
  const messages = setupMessages(site.language);
  const { isFixed, language: usedLanguage, zone: usedZone } = setupSettings;
  const language =
    languages.find((candidate) => candidate === form.get('language')) ?? site.language;
  const zone = form.get('zone')?.trim() ?? usedZone;
  const name = form.get('name')?.trim() ?? site.name;
  const errors = {
    ...(!isZone(zone) && { zone: messages.zoneUnknown }),
    ...((name === '' || [...name].length > NAME_MAX) && { name: messages.nameWrong(NAME_MAX) }),
  };
  const changes = {
    ...(!isFixed.language && language !== usedLanguage && { language }),
    ...(zone !== usedZone && { zone }),
    ...(!isFixed.name && name !== site.name && { name }),
  };
  return { changes, errors };
}
