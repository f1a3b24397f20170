// The table of sources before they are stored: new sources with a checkbox, existing and refused
// sources with the reason. The OPML import and the setup page use it.
import { createHash } from 'node:crypto';
import { type Html, html } from '../../../kernel/html/html.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { formMessages } from '../../../kernel/web/messages.ts';
import type { ImportRow } from '../../sources/setup/import-sources.ts';
import type { SourceDefinition } from '../../sources/source-settings.ts';
import { sourceSetupMessages } from '../messages/source-setup.ts';

/** Identifies a row by its content, so that an edited text does not select another source. */
const keyOf = ({ line, url, name }: ImportRow) =>
  createHash('sha256')
    .update(JSON.stringify([line, url, name]))
    .digest('hex')
    .slice(0, 16);

/** The new sources whose keys are in `chosen`, the set of ticked checkboxes; null: all of them. */
export const newDefinitions = (
  rows: readonly ImportRow[],
  chosen: ReadonlySet<string> | null,
): readonly SourceDefinition[] =>
  rows.flatMap((row) =>
    row.kind === 'new' && (chosen?.has(keyOf(row)) ?? true) ? [row.definition] : [],
  );

export function renderImportTable(
  language: Language,
  rows: readonly ImportRow[],
  chosen: ReadonlySet<string> | null = null,
): Html {
  const messages = sourceSetupMessages(language);
  const { columns } = messages;
  const count = (kind: ImportRow['kind']) => rows.filter((row) => row.kind === kind).length;
  const hasFolders = rows.some(({ folder }) => folder !== '');
  return html`<h2 class="side" role="status">\
${messages.counts(count('new'), count('exists'), count('refused'))}</h2>
${renderListTable(
  [
    { label: columns.name },
    ...(hasFolders ? [{ label: columns.folder }] : []),
    { label: columns.address },
    { label: columns.result },
    { label: columns.line, isNumber: true },
  ],
  rows.map((row) => [
    rowHeading(nameCell(row, chosen)),
    ...(hasFolders ? [row.folder] : []),
    row.url ?? '–',
    resultCell(language, row),
    row.line ?? '–',
  ]),
)}`;
}

function nameCell(row: ImportRow, chosen: ReadonlySet<string> | null): Html {
  if (row.kind !== 'new') return html`${row.name === '' ? '–' : row.name}`;
  const key = keyOf(row);
  return html`<label><input type="checkbox" name="source" value="${key}"\
${(chosen?.has(key) ?? true) && html` checked`}> ${row.name}</label>`;
}

function resultCell(language: Language, row: ImportRow): Html {
  const messages = sourceSetupMessages(language);
  const { colon } = formMessages(language);
  switch (row.kind) {
    case 'new':
      return html`<span class="positive">${messages.row.new}</span>`;
    case 'exists':
      return row.isStored
        ? html`${messages.row.exists}${colon}<a href="/admin/sources/${row.by}">${row.by}</a>`
        : html`${messages.row.repeated}`;
    case 'refused':
      return html`<span class="negative">${messages.row.refused}</span>${colon}\
${row.reasons.join(language === 'zh-CN' ? '；' : '; ')}`;
  }
}
