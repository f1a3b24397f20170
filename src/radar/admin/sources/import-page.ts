// OPML import: paste a file, review new, existing and refused sources, select, store.
import { createHash } from 'node:crypto';
import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { errorSummary, postForm, textField } from '../../../kernel/web/forms.ts';
import { audited } from '../../../operators/audit-log.ts';
import {
  type ImportRow,
  planOpmlImport,
  storeSources,
} from '../../sources/setup/import-sources.ts';
import { readOpml } from '../../sources/setup/read-opml.ts';
import { writeOpml } from '../../sources/setup/write-opml.ts';
import { definitionsOf } from '../../sources/stored-source.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { confirmAction } from '../done-notice.ts';
import { sourceSetupMessages } from '../messages/source-setup.ts';

const PATH = '/admin/sources/import';

type ImportView = {
  readonly text: string;
  readonly error?: string;
  readonly rows?: readonly ImportRow[];
};

export async function importPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  return pageOf(context, { text: '' });
}

export async function importSources(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, jobs, site } = context;
  const messages = sourceSetupMessages(site.language);
  const text = form.get('opml') ?? '';
  // The mark states the encoding of the form; a pasted file may declare another one.
  const read = readOpml(new TextEncoder().encode(`\ufeff${text.replace(/^\ufeff/, '')}`));
  if (read.kind === 'invalid') {
    const { line, problem } = read.problem;
    return pageOf(context, { text, error: messages.invalidFile(line, problem[site.language]) });
  }
  const rows = await planOpmlImport(db, read, site.language);
  if (form.get('intent') !== 'store') return pageOf(context, { text, rows });
  const chosen = new Set(form.getAll('source'));
  const definitions = rows.flatMap((row) =>
    row.kind === 'new' && chosen.has(keyOf(row)) ? [row.definition] : [],
  );
  if (definitions.length === 0) {
    return pageOf(context, { text, rows, error: messages.nothingChosen });
  }
  const stored = await storeSources(world, db, definitions, async (tx, source) => {
    const { id: subject, ...after } = source;
    const entry = { action: 'add', kind: 'source', subject, before: {}, after, note: null };
    await audited(world, tx, session, async () => ({ outcome: null, entry }));
  });
  if (stored.kind === 'taken') {
    return pageOf(context, { text, rows, error: messages.taken(stored.id) });
  }
  for (const id of stored.ids) await jobs.readSoon(id);
  return confirmAction(context, null, '/admin/sources', 'import');
}

/** Every source as OPML, to download. */
export async function exportSources({
  world,
  db,
  site,
}: RadarPageContext): Promise<RadarAdminResponse> {
  const { text } = writeOpml(site.name, await definitionsOf(db), world.clock.now());
  return { kind: 'file', name: 'sources.opml', type: 'text/x-opml; charset=utf-8', text };
}

/** A row by its line and address, so that an edited text does not select another source. */
const keyOf = ({ line, url, name }: ImportRow) =>
  createHash('sha256')
    .update(JSON.stringify([line, url, name]))
    .digest('hex')
    .slice(0, 16);

function pageOf(context: RadarPageContext, { text, error, rows }: ImportView): RadarAdminResponse {
  const messages = sourceSetupMessages(context.site.language);
  const errors = error === undefined ? {} : { opml: error };
  const field = textField({
    name: 'opml',
    label: messages.opmlText,
    value: text,
    rows: rows === undefined ? 14 : 4,
    isCode: true,
    help: messages.opmlHelp,
    error,
  });
  // A script shows it, because the form is sent without files. Its place is kept.
  const file = html`<div class="field for-scripts" data-file-into="opml">\
<label for="opml-file">${messages.opmlFile}</label>
<input type="file" id="opml-file" accept=".opml,.xml,text/xml,text/x-opml"></div>`;
  const body = html`${file}${field}
<div class="acts"><button class="quiet" name="intent" value="preview">${messages.preview}</button>\
<a href="/admin/sources">${sourceListLabel(context)}</a></div>
${rows !== undefined && previewTable(context, rows)}`;
  return {
    kind: 'page',
    status: error === undefined ? 200 : 422,
    title: messages.importOpml,
    section: 'sources',
    main: html`${pageHead(messages.importOpml, messages.importAbout)}
${errorSummary(context, errors, { opml: messages.opmlText })}
${postForm(context, { action: PATH }, body)}`,
  };
}

const sourceListLabel = ({ site }: RadarPageContext) =>
  site.language === 'zh-CN' ? '来源' : 'Sources';

function previewTable({ site }: RadarPageContext, rows: readonly ImportRow[]): Html {
  const messages = sourceSetupMessages(site.language);
  const { columns } = messages;
  const count = (kind: ImportRow['kind']) => rows.filter((row) => row.kind === kind).length;
  const added = count('new');
  return html`<h2 class="side" role="status">\
${messages.counts(added, count('exists'), count('refused'))}</h2>
<div class="scroll"><table class="list stacks"><thead><tr>
<th scope="col">${columns.name}</th><th scope="col">${columns.folder}</th>\
<th scope="col">${columns.address}</th><th scope="col">${columns.result}</th>\
<th scope="col" class="number">${columns.line}</th></tr></thead><tbody>
${rows.map(
  (row) => html`<tr><th scope="row">${nameCell(row)}</th>\
<td data-label="${columns.folder}">${row.folder}</td>\
<td data-label="${columns.address}">${row.url ?? '–'}</td>\
<td data-label="${columns.result}">${resultCell(site.language, row)}</td>\
<td class="number" data-label="${columns.line}">${row.line ?? '–'}</td></tr>
`,
)}</tbody></table></div>
${
  added > 0 &&
  html`<div class="acts spaced"><button name="intent" value="store">${messages.add(added)}</button>\
</div>`
}`;
}

function nameCell(row: ImportRow): Html {
  if (row.kind !== 'new') return html`${row.name === '' ? '–' : row.name}`;
  return html`<label><input type="checkbox" name="source" value="${keyOf(row)}" checked> \
${row.name}</label>`;
}

function resultCell(language: 'en' | 'zh-CN', row: ImportRow): Html {
  const messages = sourceSetupMessages(language);
  switch (row.kind) {
    case 'new':
      return html`<span class="positive">${messages.row.new}</span>`;
    case 'exists':
      return html`${messages.row.exists}: <a href="/admin/sources/${row.by}">${row.by}</a>`;
    case 'refused':
      return html`<span class="negative">${messages.row.refused}</span>: ${row.reasons.join('; ')}`;
  }
}
