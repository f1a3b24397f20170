// The setup page of a first run: packs and the operator's own lines become sources in one
// transaction. A form without script; each part can be skipped.
import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { button, errorSummary, postForm, textField } from '../../../kernel/web/forms.ts';
import { audited } from '../../../operators/audit-log.ts';
import { planDefinitions, storeSources } from '../../sources/setup/import-sources.ts';
import { resolveLine } from '../../sources/setup/resolve-line.ts';
import type { SourcePack } from '../../sources/setup/source-packs.ts';
import type { SourceDefinition } from '../../sources/source-settings.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';

const PATH = '/admin/setup';
const LINES_MAX = 50;
/** Lines that are checked at the same time. */
const AT_ONCE = 6;
const EXAMPLES = 3;

type SetupView = {
  readonly packs: readonly string[];
  readonly lines: string;
  readonly problems: readonly string[];
};

export async function setupPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  return pageOf(context, { packs: [], lines: '', problems: [] });
}

export async function startSetup(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, jobs, packs, site } = context;
  const messages = setupMessages(site.language);
  const chosen = form.getAll('pack');
  const text = form.get('lines') ?? '';
  const refuse = (problems: readonly string[]) =>
    pageOf(context, { packs: chosen, lines: text, problems });
  const lines = text.split('\n').map((line) => line.trim());
  const own = await readLines(context, lines.filter((line) => line !== '').slice(0, LINES_MAX));
  const packed = packs
    .filter(({ id }) => chosen.includes(id))
    .flatMap(({ sources }) => sources.map(({ definition }) => known(context, definition)));
  const rows = await planDefinitions(db, [...packed, ...own.definitions], site.language);
  const definitions = rows.flatMap((row) => (row.kind === 'new' ? [row.definition] : []));
  if (own.problems.length > 0) return refuse(own.problems);
  if (rows.length === 0) return refuse([messages.nothing]);
  const stored = await storeSources(world, db, definitions, async (tx, source) => {
    const { id: subject, ...after } = source;
    const entry = { action: 'add', kind: 'source', subject, before: {}, after, note: null };
    await audited(world, tx, session.name, async () => ({ outcome: null, entry }));
  });
  if (stored.kind === 'taken') return refuse([messages.taken(stored.id)]);
  for (const id of stored.ids) await jobs.readSoon(id);
  return { kind: 'moved', to: `${PATH}/progress` };
}

/** A hint of another editorial folder is left out. */
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
          problems.push(messages.line(line, messages.lineTried));
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
  { packs, lines, problems }: SetupView,
): RadarAdminResponse {
  const { site, model } = context;
  const messages = setupMessages(site.language);
  const language = messages.languages[site.language];
  const body = html`<section class="part"><h2 class="side">1. ${messages.site}</h2>
<p>${messages.siteAbout(site.name, language)}</p></section>
<section class="part"><h2 class="side">2. ${messages.packs}</h2>
${context.packs.map((pack) => packCard(context, pack, packs.includes(pack.id)))}</section>
<section class="part"><h2 class="side">3. ${messages.own}</h2>
${textField({
  name: 'lines',
  label: messages.lines,
  value: lines,
  rows: 5,
  help: messages.linesHelp,
})}
<p><a class="link" href="/admin/sources/import">${messages.orOpml} →</a></p></section>
<section class="part"><h2 class="side">4. ${messages.model}</h2>
<p>${model === null ? messages.modelNone : messages.modelIs(model.name ?? '')}
<a class="link" href="/admin/model">${messages.modelLink} →</a></p></section>
<section class="part"><h2 class="side">5. ${messages.notifications}</h2>
<p>${messages.notificationsAbout}
<a class="link" href="/admin/channels/add" target="_blank">\
${messages.notificationsLink} →</a></p></section>
<div class="acts spaced">${button(messages.start)}</div>`;
  return {
    kind: 'page',
    status: problems.length === 0 ? 200 : 422,
    title: messages.title,
    section: 'sources',
    main: html`${pageHead(messages.title, messages.about)}
${errorSummary(context, problems.length === 0 ? {} : { '': problems.join(' · ') })}
${postForm(context, { action: PATH }, body)}`,
  };
}

function packCard({ site }: RadarPageContext, pack: SourcePack, isChosen: boolean): Html {
  const messages = setupMessages(site.language);
  const examples = pack.sources.slice(0, EXAMPLES).map(({ definition }) => definition.name);
  const joined = examples.join(site.language === 'zh-CN' ? '、' : ', ');
  return html`<div class="field"><label><input type="checkbox" name="pack" value="${pack.id}"\
${isChosen && html` checked`}> <strong>${pack.name[site.language]}</strong> \
<span class="meta">${messages.packSources(pack.sources.length)}, \
${messages.packExamples(joined)}</span></label>
<p class="help">${pack.about[site.language]}\
${pack.editorial !== '.' && html` ${messages.otherFolder(pack.editorial)}`}</p></div>
`;
}
