// The choice of the selection rules on the setup page, and the rules that a submitted form chooses.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderChoiceField } from '../../../kernel/web/forms.ts';
import {
  type EditorialChoice,
  editorialChoices,
  readSetupSettings,
} from '../../../operators/setup-settings.ts';
import { listSources } from '../../sources/list-sources.ts';
import type { SourcePack } from '../../sources/setup/source-packs.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';
import { renderFixedValue } from './site-part.ts';

/** Before the first source, the packs decide. An empty value stands for this choice. */
const AUTOMATIC = '';

/** `isOpen`: no rules were chosen, and the radar has no source yet. */
async function readUsedRules({ world, db }: RadarPageContext): Promise<{
  readonly rules: EditorialChoice;
  readonly isOpen: boolean;
}> {
  const { editorial: rules } = await readSetupSettings(world, db);
  if (rules !== undefined) return { rules, isOpen: false };
  return { rules: '.', isOpen: (await listSources(db)).length === 0 };
}

export async function renderRulesPart(
  context: RadarPageContext,
  values: URLSearchParams,
): Promise<Html> {
  const { site, setupSettings } = context;
  const messages = setupMessages(site.language);
  if (setupSettings.isFixed.editorial) {
    return renderFixedValue(site.language, {
      label: messages.rules,
      value: setupSettings.editorialFolder,
      reason: messages.fixedByFile,
    });
  }
  const { rules, isOpen } = await readUsedRules(context);
  const choices = editorialChoices.map((value) => ({ value, label: messages.rulesOf[value] }));
  return renderChoiceField({
    name: 'rules',
    label: messages.rules,
    value: values.get('rules') ?? (isOpen ? AUTOMATIC : rules),
    choices: [
      ...(isOpen ? [{ value: AUTOMATIC, label: messages.rulesAutomatic }] : []),
      ...choices,
    ],
    help: messages.rulesHelp,
  });
}

/** A pack for other rules than those of the file. Without a file, each pack brings its rules. */
export const renderOtherRules = (
  { site, setupSettings }: RadarPageContext,
  pack: SourcePack,
): Html =>
  html`${
    setupSettings.isFixed.editorial &&
    pack.folder !== setupSettings.editorialFolder &&
    html`<p class="help">${setupMessages(site.language).otherRules}</p>`
  }`;

type StartedSources = {
  readonly packs: readonly SourcePack[];
  readonly hasOwnSources: boolean;
};

/** The rules that the form changes; null: they stay the same. */
export async function readRulesPart(
  context: RadarPageContext,
  form: URLSearchParams,
  { packs, hasOwnSources }: StartedSources,
): Promise<EditorialChoice | null> {
  if (context.setupSettings.isFixed.editorial) return null;
  const { rules, isOpen } = await readUsedRules(context);
  const chosenRules = editorialChoices.find((choice) => choice === form.get('rules'));
  if (chosenRules !== undefined) return chosenRules === rules ? null : chosenRules;
  const isAboutOtherFields = packs.every(({ editorial }) => editorial !== '.');
  const hasSources = packs.length > 0 || hasOwnSources;
  return isOpen && hasSources && isAboutOtherFields ? 'general' : null;
}
