// The setup page of a first run in five parts. Settings, packs and the operator's own lines are
// stored in one transaction. The form needs no script, and each part can be skipped.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import {
  button,
  errorSummary,
  type FieldErrors,
  postForm,
  textField,
} from '../../../kernel/web/forms.ts';
import { audited } from '../../../operators/audit-log.ts';
import { type SetupSettings, saveSetupSettings } from '../../../operators/setup-settings.ts';
import type { ModelTrial } from '../../model/try-model.ts';
import { formatWarning } from '../../sources/fetch/fetch-warning.ts';
import {
  type ImportResult,
  planDefinitions,
  storeSources,
} from '../../sources/setup/import-sources.ts';
import { resolveLine } from '../../sources/setup/resolve-line.ts';
import type { SourcePack } from '../../sources/setup/source-packs.ts';
import type { SourceDefinition } from '../../sources/source-settings.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';
import { modelPart, readModelPart, TRY_MODEL, tryPart } from './model-part.ts';
import { SETUP_PATH as PATH, readSitePart, sitePart } from './site-part.ts';

const LINES_MAX = 50;
/** Number of lines that are checked concurrently. */
const AT_ONCE = 6;
const EXAMPLES = 3;

type SetupView = {
  /** What was typed. */
  readonly values: URLSearchParams;
  readonly errors?: FieldErrors;
  readonly problems?: readonly string[];
  readonly trial?: ModelTrial;
};

export async function setupPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  return pageOf(context, { values: new URLSearchParams() });
}

export async function startSetup(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { jobs, packs, site, db, setupSettings } = context;
  const messages = setupMessages(site.language);
  const ofSite = readSitePart(context, form);
  const { model, errors: ofModel } = readModelPart(context, form);
  const errors = { ...ofSite.errors, ...ofModel };
  const refuse = (problems: readonly string[]) =>
    pageOf(context, { values: form, errors, problems });
  if (form.get('do') === TRY_MODEL) {
    if (model === null) {
      const missing = { modelUrl: messages.modelUrlWrong, ...ofModel };
      return pageOf(context, { values: form, errors: missing });
    }
    return pageOf(context, { values: form, errors, trial: await tryPart(context, model) });
  }
  const lines = (form.get('lines') ?? '').split('\n').map((line) => line.trim());
  const filled = lines.filter((line) => line !== '');
  if (filled.length > LINES_MAX) return refuse([messages.tooManyLines(LINES_MAX)]);
  const own = await readLines(context, filled);
  const packed = packs
    .filter(({ id }) => form.getAll('pack').includes(id))
    .flatMap(({ sources }) => sources.map(({ definition }) => known(context, definition)));
  const rows = await planDefinitions(db, [...packed, ...own.definitions], site.language);
  const definitions = rows.flatMap((row) => (row.kind === 'new' ? [row.definition] : []));
  if (own.problems.length > 0 || Object.keys(errors).length > 0) return refuse(own.problems);
  const settings = { ...ofSite.changes, ...(model !== null && { model }) };
  const hasSettings = Object.keys(settings).length > 0;
  if (rows.length === 0 && !hasSettings) return refuse([messages.nothing]);
  const stored = await store(context, settings, definitions);
  if (stored.kind === 'taken') return refuse([messages.taken(stored.id)]);
  if (hasSettings && setupSettings.reopen !== null) {
    // The reopened servers fetch due sources.
    setupSettings.reopen();
  } else for (const id of stored.ids) await jobs.readSoon(id);
  return { kind: 'moved', to: rows.length === 0 ? '/admin/sources' : `${PATH}/progress` };
}

/** Settings and sources in one transaction, each with an audit row. */
async function store(
  { world, db, session }: RadarPageContext,
  settings: SetupSettings,
  definitions: readonly SourceDefinition[],
): Promise<ImportResult> {
  let taken: ImportResult | null = null;
  try {
    return await audited<ImportResult>(world, db, session, async (tx) => {
      const stored = await storeSources(world, tx, definitions, async (inner, source) => {
        const { id: subject, ...after } = source;
        const entry = { action: 'add', kind: 'source', subject, before: {}, after, note: null };
        await audited(world, inner, session, async () => ({ outcome: null, entry }));
      });
      if (stored.kind === 'taken') {
        taken = stored;
        throw new Fault('invalid_request', `${stored.id} is taken`);
      }
      if (Object.keys(settings).length === 0) return { outcome: stored, entry: null };
      await saveSetupSettings(world, tx, settings);
      // The key of a model is never in the audit log.
      const { model, ...plain } = settings;
      const after = { ...plain, ...(model !== undefined && { model: model.name }) };
      const changed = { action: 'edit', kind: 'settings', subject: 'setup', before: {}, after };
      return { outcome: stored, entry: { ...changed, note: null } };
    });
  } catch (error) {
    if (taken === null) throw error;
    return taken;
  }
}

/** A category hint of another editorial folder is omitted. */
function known({ categories }: RadarPageContext, definition: SourceDefinition): SourceDefinition {
  const { categoryHint, ...others } = definition;
  return categoryHint !== undefined && categories.includes(categoryHint) ? definition : others;
}

async function readLines(context: RadarPageContext, lines: readonly string[]) {
  const { world, robots, templates, site } = context;
  const messages = setupMessages(site.language);
  const deps = { world, robots, addresses: templates, opensLoopback: false };
  const definitions: SourceDefinition[] = [];
  const problems: string[] = [];
  const waiting = [...lines];
  const work = async () => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      const result = await resolveLine(deps, line);
      switch (result.kind) {
        case 'source':
          definitions.push(result.definition);
          break;
        case 'invalid':
          problems.push(messages.line(line, result.problem[site.language]));
          break;
        case 'failed':
          for (const { url, warning } of result.tried.slice(0, 1)) {
            const reason = formatWarning(warning, site.language);
            problems.push(messages.line(line, messages.lineTried(url, reason)));
          }
          break;
        case 'choices': {
          const urls = result.candidates.map(({ url }) => url).join(' ');
          problems.push(messages.line(line, messages.lineChoices(urls)));
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { definitions, problems };
}

function pageOf(
  context: RadarPageContext,
  { values, errors = {}, problems = [], trial }: SetupView,
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
${textField({
  name: 'lines',
  label: messages.lines,
  value: values.get('lines') ?? '',
  rows: 5,
  help: messages.linesHelp,
})}
<p><a class="link" href="/admin/sources/import">${messages.orOpml} →</a></p></section>
<section class="part"><h2 class="side">4. ${messages.model}</h2>
${modelPart(context, values, { errors, trial: trial ?? null })}</section>
<section class="part"><h2 class="side">5. ${messages.notifications}</h2>
<p>${messages.notificationsAbout}
<a class="link" href="/admin/channels/add" target="_blank">\
${messages.notificationsLink} →</a></p></section>
<div class="acts spaced">${button(messages.start)}</div>`;
  const summary = problems.length === 0 ? errors : { ...errors, '': problems.join(' · ') };
  return {
    kind: 'page',
    status: isFine ? 200 : 422,
    title: messages.title,
    section: 'sources',
    main: html`${pageHead(messages.title, messages.about)}
${errorSummary(context, summary, messages.fieldLabels)}
${postForm(context, { action: PATH }, html`<button hidden></button>${body}`)}`,
  };
}

function packCard({ site }: RadarPageContext, pack: SourcePack, isChosen: boolean): Html {
  const messages = setupMessages(site.language);
  const examples = pack.sources.slice(0, EXAMPLES).map(({ definition }) => definition.name);
  const joined = examples.join(site.language === 'zh-CN' ? '、' : ', ');
  return html`<div class="field"><label><input type="checkbox" name="pack" value="${pack.id}"\
${isChosen && html` checked`}> <span><strong>${pack.name[site.language]}</strong> \
<span class="meta">${messages.packSources(pack.sources.length)}, \
${messages.packExamples(joined)}</span></span></label>
<p class="help">${pack.about[site.language]}</p>
${pack.editorial !== '.' && html`<p class="help">${messages.otherFolder(pack.editorial)}</p>`}</div>
`;
}
