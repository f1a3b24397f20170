// The setup page of a first run in five parts. Settings, packs, the operator's own lines and a
// channel are stored in one transaction. The form needs no script, and each part can be skipped.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
} from '../../../kernel/web/forms.ts';
import type { CheckedChannel } from '../../../notifications/channels.ts';
import type { DeliveryResult } from '../../../notifications/read-response.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { type SetupSettings, saveSetupSettings } from '../../../operators/setup-settings.ts';
import type { ModelTrial } from '../../model/try-model.ts';
import {
  type ImportResult,
  planDefinitions,
  storeSources,
} from '../../sources/setup/import-sources.ts';
import { type SourcePack, withKnownCategory } from '../../sources/setup/source-packs.ts';
import type { SourceDefinition } from '../../sources/source-settings.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';
import { storeNewChannel } from '../notifications/channel-form.ts';
import {
  channelLabels,
  channelPresets,
  readChannelPart,
  renderChannelPart,
  TEST_CHANNEL,
  testSetupChannel,
} from './channel-part.ts';
import { readModelPart, renderModelPart, TRY_MODEL, testSetupModel } from './model-part.ts';
import { CHECK_SOURCES, type OwnSources, readOwnPart, renderOwnPart } from './own-part.ts';
import { readRulesPart, renderOtherRules, renderRulesPart } from './rules-part.ts';
import { SETUP_PATH as PATH, readSitePart, renderSitePart } from './site-part.ts';

const EXAMPLES_SHOWN = 3;

type SetupView = {
  /** The submitted values. */
  readonly values: URLSearchParams;
  readonly errors?: FieldErrors;
  readonly problems?: readonly string[];
  readonly modelTest?: ModelTrial;
  readonly channelTest?: DeliveryResult;
  readonly ownSources?: OwnSources;
};

export async function setupPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  return renderSetupPage(context, { values: channelPresets(context.world) });
}

export async function startSetup(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { jobs, packs, site, db } = context;
  const messages = setupMessages(site.language);
  const siteResult = readSitePart(context, form);
  const { model, errors: modelErrors } = readModelPart(context, form);
  const { channel, errors: channelErrors } = await readChannelPart(context, form);
  const errors = { ...siteResult.errors, ...modelErrors, ...channelErrors };
  if (form.get('do') === TRY_MODEL) {
    if (model === null) {
      const errorsWithUrl = { modelUrl: messages.modelUrlWrong, ...modelErrors };
      return renderSetupPage(context, { values: form, errors: errorsWithUrl });
    }
    return renderSetupPage(context, {
      values: form,
      errors,
      modelTest: await testSetupModel(context, model),
    });
  }
  if (form.get('do') === TEST_CHANNEL) {
    if (channel === null) return renderSetupPage(context, { values: form, errors: channelErrors });
    return renderSetupPage(context, {
      values: form,
      errors,
      channelTest: await testSetupChannel(context, channel),
    });
  }
  const ownSources = await readOwnPart(context, form);
  if (form.get('do') === CHECK_SOURCES) {
    // The table shows refused lines; text without a table needs its error.
    const textErrors = ownSources.rows.length === 0 ? ownSources.errors : {};
    const checkErrors = { ...errors, ...textErrors };
    return renderSetupPage(context, { values: form, errors: checkErrors, ownSources });
  }
  const chosenPacks = packs.filter(({ id }) => form.getAll('pack').includes(id));
  const rules = await readRulesPart(context, form, {
    packs: chosenPacks,
    hasOwnSources: ownSources.definitions.length > 0,
  });
  const packDefinitions = chosenPacks.flatMap(({ editorial, sources }) =>
    sources.map(({ definition }) =>
      rules !== null && editorial === rules
        ? definition
        : withKnownCategory(definition, rules === null ? context.categories : []),
    ),
  );
  const rows = await planDefinitions(
    db,
    [...packDefinitions, ...ownSources.definitions],
    site.language,
  );
  const definitions = rows.flatMap((row) => (row.kind === 'new' ? [row.definition] : []));
  const allErrors = { ...errors, ...ownSources.errors };
  const renderRefusal = (problems: readonly string[]) =>
    renderSetupPage(context, { values: form, errors: allErrors, problems, ownSources });
  if (Object.keys(allErrors).length > 0) return renderRefusal([]);
  const settings = {
    ...siteResult.changes,
    ...(model !== null && { model }),
    ...(rules !== null && { editorial: rules }),
  };
  const hasSettings = Object.keys(settings).length > 0;
  if (rows.length === 0 && !hasSettings && channel === null)
    return renderRefusal([messages.nothing]);
  const storeResult = await storeSetup(context, { settings, definitions, channel, form });
  if (storeResult.kind === 'taken') return renderRefusal([messages.taken(storeResult.id)]);
  // After a change of the settings, the processes open their servers again and fetch due sources.
  if (!hasSettings) for (const id of storeResult.ids) await jobs.queueFetch(id);
  return { kind: 'moved', to: rows.length === 0 ? '/admin/sources' : `${PATH}/progress` };
}

type SetupInput = {
  readonly settings: SetupSettings;
  readonly definitions: readonly SourceDefinition[];
  readonly channel: CheckedChannel | null;
  readonly form: URLSearchParams;
};

/** Stores settings, sources and the channel in one transaction, each with an audit row. */
async function storeSetup(
  context: RadarPageContext,
  { settings, definitions, channel, form }: SetupInput,
): Promise<ImportResult> {
  const { world, db, session, site, setupSettings } = context;
  let failedImport: ImportResult | null = null;
  try {
    return await withAudit<ImportResult>(world, db, session, async (tx) => {
      const storeResult = await storeSources(world, tx, definitions, async (innerTx, source) => {
        const { id: subject, ...after } = source;
        const entry = { action: 'add', kind: 'source', subject, before: {}, after, note: null };
        await withAudit(world, innerTx, session, async () => ({ outcome: null, entry }));
      });
      if (storeResult.kind === 'taken') {
        failedImport = storeResult;
        throw new Fault('invalid_request', `${storeResult.id} is taken`);
      }
      if (channel !== null) {
        const { language = site.language, zone = setupSettings.zone } = settings;
        await storeNewChannel(context, tx, { channel, form, language, zone });
      }
      if (Object.keys(settings).length === 0) return { outcome: storeResult, entry: null };
      await saveSetupSettings(world, tx, settings);
      // The key of a model is never in the audit log.
      const { model, ...otherSettings } = settings;
      const after = { ...otherSettings, ...(model !== undefined && { model: model.name }) };
      const changed = { action: 'edit', kind: 'settings', subject: 'setup', before: {}, after };
      return { outcome: storeResult, entry: { ...changed, note: null } };
    });
  } catch (error) {
    if (failedImport === null) throw error;
    return failedImport;
  }
}

async function renderSetupPage(
  context: RadarPageContext,
  { values, errors = {}, problems = [], modelTest, channelTest, ownSources }: SetupView,
): Promise<RadarAdminResponse> {
  const { site } = context;
  const messages = setupMessages(site.language);
  const chosenPacks = values.getAll('pack');
  const hasNoErrors = problems.length === 0 && Object.keys(errors).length === 0;
  const body = html`<section class="part"><h2 class="side">1. ${messages.site}</h2>
${renderSitePart(context, values, errors)}</section>
<section class="part"><h2 class="side">2. ${messages.packs}</h2>
${context.packs.map((pack) => renderPack(context, pack, chosenPacks.includes(pack.id)))}\
${await renderRulesPart(context, values)}</section>
<section class="part"><h2 class="side">3. ${messages.own}</h2>
${renderOwnPart(context, values, { errors, own: ownSources ?? null })}</section>
<section class="part"><h2 class="side">4. ${messages.model}</h2>
${renderModelPart(context, values, { errors, trial: modelTest ?? null })}</section>
<section class="part"><h2 class="side">5. ${messages.notifications}</h2>
${renderChannelPart(context, values, { errors, testResult: channelTest ?? null })}</section>
<div class="acts spaced">${renderButton(messages.start)}</div>`;
  // The Enter key uses a form's first button. Without the hidden button, the Enter key would test a
  // part.
  const form = html`<button hidden></button>${body}`;
  const summary = problems.length === 0 ? errors : { ...errors, '': problems.join(' · ') };
  return {
    kind: 'page',
    status: hasNoErrors ? 200 : 422,
    title: messages.title,
    section: 'sources',
    main: html`${renderPageHead(messages.title, messages.about)}
${renderErrorSummary(context, summary, {
  ...messages.fieldLabels,
  ...channelLabels(context, values),
})}
${renderPostForm(context, { action: PATH }, form)}`,
  };
}

function renderPack(context: RadarPageContext, pack: SourcePack, isChosen: boolean): Html {
  const { site } = context;
  const messages = setupMessages(site.language);
  const examples = pack.sources.slice(0, EXAMPLES_SHOWN).map(({ definition }) => definition.name);
  const exampleNames = examples.join(site.language === 'zh-CN' ? '、' : ', ');
  return html`<div class="field"><label><input type="checkbox" name="pack" value="${pack.id}"\
${isChosen && html` checked`}> <span><strong>${pack.name[site.language]}</strong> \
<span class="meta">${messages.packSources(pack.sources.length, exampleNames)}</span></span></label>
<p class="help">${pack.about[site.language]}</p>
${renderOtherRules(context, pack)}</div>
`;
}
