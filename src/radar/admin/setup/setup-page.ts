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
import type { SourcePack } from '../../sources/setup/source-packs.ts';
import type { SourceDefinition } from '../../sources/source-settings.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';
import { addChannelHere } from '../notifications/channel-form.ts';
import {
  channelLabels,
  channelPart,
  channelPresets,
  readChannelPart,
  TEST_CHANNEL,
  testPart,
} from './channel-part.ts';
import { modelPart, readModelPart, TRY_MODEL, tryPart } from './model-part.ts';
import { CHECK_SOURCES, type OwnSources, ownPart, readOwnPart } from './own-part.ts';
import { SETUP_PATH as PATH, readSitePart, sitePart } from './site-part.ts';

const EXAMPLES = 3;

type SetupView = {
  /** The submitted values. */
  readonly values: URLSearchParams;
  readonly errors?: FieldErrors;
  readonly problems?: readonly string[];
  readonly trial?: ModelTrial;
  readonly tested?: DeliveryResult;
  readonly own?: OwnSources;
};

export async function setupPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  return pageOf(context, { values: channelPresets(context.world) });
}

export async function startSetup(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { jobs, packs, site, db, setupSettings } = context;
  const messages = setupMessages(site.language);
  const ofSite = readSitePart(context, form);
  const { model, errors: ofModel } = readModelPart(context, form);
  const { channel, errors: ofChannel } = await readChannelPart(context, form);
  const errors = { ...ofSite.errors, ...ofModel, ...ofChannel };
  if (form.get('do') === TRY_MODEL) {
    if (model === null) {
      const missing = { modelUrl: messages.modelUrlWrong, ...ofModel };
      return pageOf(context, { values: form, errors: missing });
    }
    return pageOf(context, { values: form, errors, trial: await tryPart(context, model) });
  }
  if (form.get('do') === TEST_CHANNEL) {
    if (channel === null) return pageOf(context, { values: form, errors: ofChannel });
    return pageOf(context, { values: form, errors, tested: await testPart(context, channel) });
  }
  const submittedPart = await readOwnPart(context, form);
  if (form.get('do') === CHECK_SOURCES)
    return pageOf(context, { values: form, errors, own: submittedPart });
  const packed = packs
    .filter(({ id }) => form.getAll('pack').includes(id))
    .flatMap(({ sources }) => sources.map(({ definition }) => known(context, definition)));
  const rows = await planDefinitions(db, [...packed, ...submittedPart.definitions], site.language);
  const definitions = rows.flatMap((row) => (row.kind === 'new' ? [row.definition] : []));
  const allErrors = { ...errors, ...submittedPart.errors };
  const refuse = (problems: readonly string[]) =>
    pageOf(context, { values: form, errors: allErrors, problems, own: submittedPart });
  if (Object.keys(allErrors).length > 0) return refuse([]);
  const settings = { ...ofSite.changes, ...(model !== null && { model }) };
  const hasSettings = Object.keys(settings).length > 0;
  if (rows.length === 0 && !hasSettings && channel === null) return refuse([messages.nothing]);
  const stored = await store(context, { settings, definitions, channel, form });
  if (stored.kind === 'taken') return refuse([messages.taken(stored.id)]);
  if (hasSettings && setupSettings.reopen !== null) {
    // The reopened servers fetch due sources.
    setupSettings.reopen();
  } else for (const id of stored.ids) await jobs.queueFetch(id);
  return { kind: 'moved', to: rows.length === 0 ? '/admin/sources' : `${PATH}/progress` };
}

type SetupInput = {
  readonly settings: SetupSettings;
  readonly definitions: readonly SourceDefinition[];
  readonly channel: CheckedChannel | null;
  readonly form: URLSearchParams;
};

/** Settings, sources and the channel in one transaction, each with an audit row. */
async function store(
  context: RadarPageContext,
  { settings, definitions, channel, form }: SetupInput,
): Promise<ImportResult> {
  const { world, db, session, site, setupSettings } = context;
  let imported: ImportResult | null = null;
  try {
    return await withAudit<ImportResult>(world, db, session, async (tx) => {
      const stored = await storeSources(world, tx, definitions, async (innerTx, source) => {
        const { id: subject, ...after } = source;
        const entry = { action: 'add', kind: 'source', subject, before: {}, after, note: null };
        await withAudit(world, innerTx, session, async () => ({ outcome: null, entry }));
      });
      if (stored.kind === 'taken') {
        imported = stored;
        throw new Fault('invalid_request', `${stored.id} is taken`);
      }
      if (channel !== null) {
        const { language = site.language, zone = setupSettings.zone } = settings;
        await addChannelHere(context, tx, { channel, form, language, zone });
      }
      if (Object.keys(settings).length === 0) return { outcome: stored, entry: null };
      await saveSetupSettings(world, tx, settings);
      // The key of a model is never in the audit log.
      const { model, ...otherSettings } = settings;
      const after = { ...otherSettings, ...(model !== undefined && { model: model.name }) };
      const changed = { action: 'edit', kind: 'settings', subject: 'setup', before: {}, after };
      return { outcome: stored, entry: { ...changed, note: null } };
    });
  } catch (error) {
    if (imported === null) throw error;
    return imported;
  }
}

/** A category hint of another editorial folder is omitted. */
function known({ categories }: RadarPageContext, definition: SourceDefinition): SourceDefinition {
  const { categoryHint, ...others } = definition;
  return categoryHint !== undefined && categories.includes(categoryHint) ? definition : others;
}

function pageOf(
  context: RadarPageContext,
  { values, errors = {}, problems = [], trial, tested, own: submittedPart }: SetupView,
): RadarAdminResponse {
  const { site } = context;
  const messages = setupMessages(site.language);
  const chosen = values.getAll('pack');
  const isFine = problems.length === 0 && Object.keys(errors).length === 0;
  const body = html`<section class="part"><h2 class="side">1. ${messages.site}</h2>
${sitePart(context, values, errors)}</section>
<section class="part"><h2 class="side">2. ${messages.packs}</h2>
${context.packs.map((pack) => packCard(context, pack, chosen.includes(pack.id)))}</section>
<section class="part"><h2 class="side">3. ${messages.own}</h2>
${ownPart(context, values, { errors, own: submittedPart ?? null })}</section>
<section class="part"><h2 class="side">4. ${messages.model}</h2>
${modelPart(context, values, { errors, trial: trial ?? null })}</section>
<section class="part"><h2 class="side">5. ${messages.notifications}</h2>
${channelPart(context, values, { errors, tested: tested ?? null })}</section>
<div class="acts spaced">${renderButton(messages.start)}</div>`;
  const summary = problems.length === 0 ? errors : { ...errors, '': problems.join(' · ') };
  return {
    kind: 'page',
    status: isFine ? 200 : 422,
    title: messages.title,
    section: 'sources',
    main: html`${renderPageHead(messages.title, messages.about)}
${renderErrorSummary(context, summary, {
  ...messages.fieldLabels,
  ...channelLabels(context, values),
})}
${renderPostForm(context, { action: PATH }, html`<button hidden></button>${body}`)}`,
  };
}

function packCard({ site }: RadarPageContext, pack: SourcePack, isChosen: boolean): Html {
  const messages = setupMessages(site.language);
  const examples = pack.sources.slice(0, EXAMPLES).map(({ definition }) => definition.name);
  const joined = examples.join(site.language === 'zh-CN' ? '、' : ', ');
  return html`<div class="field"><label><input type="checkbox" name="pack" value="${pack.id}"\
${isChosen && html` checked`}> <span><strong>${pack.name[site.language]}</strong> \
<span class="meta">${messages.packSources(pack.sources.length, joined)}</span></span></label>
<p class="help">${pack.about[site.language]}</p>
${pack.editorial !== '.' && html`<p class="help">${messages.otherFolder(pack.editorial)}</p>`}</div>
`;
}
