// The OPML import. An operator pastes a file, reviews the new, existing and refused sources, and
// stores the chosen sources.
import { html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderErrorSummary, renderPostForm, renderTextField } from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import {
  type ImportRow,
  planOpmlImport,
  storeSources,
} from '../../sources/setup/import-sources.ts';
import { readOpml } from '../../sources/setup/read-opml.ts';
import { writeOpml } from '../../sources/setup/write-opml.ts';
import { listDefinitions } from '../../sources/stored-source.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { confirmAction } from '../done-notice.ts';
import { sourceSetupMessages } from '../messages/source-setup.ts';
import { newDefinitions, renderImportTable } from './import-table.ts';

const IMPORT_PATH = '/admin/sources/import';

type ImportView = {
  readonly text: string;
  readonly error?: string;
  readonly rows?: readonly ImportRow[];
};

export async function importPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  return renderImportPage(context, { text: '' });
}

export async function importSources(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, jobs, site } = context;
  const messages = sourceSetupMessages(site.language);
  const text = form.get('opml') ?? '';
  // The byte order mark sets UTF-8, because a pasted file may declare another encoding.
  const opml = readOpml(new TextEncoder().encode(`\ufeff${text.replace(/^\ufeff/, '')}`));
  if (opml.kind === 'invalid') {
    const { line, problem } = opml.problem;
    return renderImportPage(context, {
      text,
      error: messages.invalidFile(line, problem[site.language]),
    });
  }
  const rows = await planOpmlImport(db, opml, site.language);
  if (form.get('intent') !== 'store') return renderImportPage(context, { text, rows });
  const definitions = newDefinitions(rows, new Set(form.getAll('source')));
  if (definitions.length === 0) {
    return renderImportPage(context, { text, rows, error: messages.nothingChosen });
  }
  const storeResult = await storeSources(world, db, definitions, async (tx, source) => {
    const { id: subject, ...after } = source;
    const entry = { action: 'add', kind: 'source', subject, before: {}, after, note: null };
    await withAudit(world, tx, session, async () => ({ outcome: null, entry }));
  });
  if (storeResult.kind === 'taken') {
    return renderImportPage(context, { text, rows, error: messages.taken(storeResult.id) });
  }
  for (const id of storeResult.ids) await jobs.queueFetch(id);
  return confirmAction(context, null, '/admin/sources', 'import');
}

/** Every source as OPML, to download. */
export async function exportSources({
  world,
  db,
  site,
}: RadarPageContext): Promise<RadarAdminResponse> {
  const { text } = writeOpml(site.name, await listDefinitions(db), world.clock.now());
  return { kind: 'file', name: 'sources.opml', type: 'text/x-opml; charset=utf-8', text };
}

function renderImportPage(
  context: RadarPageContext,
  { text, error, rows }: ImportView,
): RadarAdminResponse {
  const { language } = context.site;
  const messages = sourceSetupMessages(language);
  const errors = error === undefined ? {} : { opml: error };
  const field = renderTextField({
    name: 'opml',
    label: messages.opmlText,
    value: text,
    rows: rows === undefined ? 14 : 4,
    isCode: true,
    help: messages.opmlHelp,
    error,
  });
  // A script shows the field and copies the file into the text: the form is sent without files.
  const fileField = html`<div class="field for-scripts" data-file-into="opml">\
<label for="opml-file">${messages.opmlFile}</label>
<input type="file" id="opml-file" accept=".opml,.xml,text/xml,text/x-opml"></div>`;
  const body = html`${fileField}${field}
<div class="acts"><button class="quiet" name="intent" value="preview">${messages.preview}</button>\
<a href="/admin/sources">${sourceListLabel(context)}</a></div>
${rows !== undefined && renderImportTable(language, rows)}${
  rows?.some(({ kind }) => kind === 'new') &&
  html`<div class="acts spaced"><button name="intent" value="store">${messages.add}</button></div>`
}`;
  return {
    kind: 'page',
    status: error === undefined ? 200 : 422,
    title: messages.importOpml,
    section: 'sources',
    main: html`${renderPageHead(messages.importOpml, messages.importAbout)}
${renderErrorSummary(context, errors, { opml: messages.opmlText })}
${renderPostForm(context, { action: IMPORT_PATH }, body)}`,
  };
}

const sourceListLabel = ({ site }: RadarPageContext) =>
  site.language === 'zh-CN' ? '来源' : 'Sources';
