// The third part of the setup page: addresses, template lines or an OPML file. A table shows the
// source of each line before anything is stored. A script requests the table after a paste.
import { createHash } from 'node:crypto';
import { type Html, html } from '../../../kernel/html/html.ts';
import { type FieldErrors, renderTextField } from '../../../kernel/web/forms.ts';
import { formatAttempt } from '../../sources/fetch/fetch-warning.ts';
import {
  type ImportRow,
  planDefinitions,
  planOpmlImport,
} from '../../sources/setup/import-sources.ts';
import { readOpml } from '../../sources/setup/read-opml.ts';
import { type ResolveLineResult, resolveLine } from '../../sources/setup/resolve-line.ts';
import type { SourceDefinition } from '../../sources/source-settings.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';
import { sourceSetupMessages } from '../messages/source-setup.ts';
import { newDefinitions, renderImportTable } from '../sources/import-table.ts';

/** Value of the button `do` that checks the lines instead of starting. */
export const CHECK_SOURCES = 'check-sources';

const LINES_MAX = 50;
/** Number of lines that are checked concurrently. */
const CONCURRENT_LINES = 6;

export type OwnSources = {
  readonly rows: readonly ImportRow[];
  /** The new sources whose checkbox is set. Before a table was shown: all new sources. */
  readonly definitions: readonly SourceDefinition[];
  /** Refused lines that no table has shown yet, or an unreadable file. */
  readonly errors: FieldErrors;
};

export async function readOwnPart(
  context: RadarPageContext,
  form: URLSearchParams,
): Promise<OwnSources> {
  const { language } = context.site;
  const messages = setupMessages(language);
  const text = form.get('lines') ?? '';
  const plan = await planText(context, text);
  if (plan.kind === 'invalid') {
    return { rows: [], definitions: [], errors: { lines: plan.problem } };
  }
  const { rows } = plan;
  const isTableShown = form.get('shown') === hashOf(text);
  const refusedCount = rows.filter(({ kind }) => kind === 'refused').length;
  return {
    rows,
    definitions: newDefinitions(rows, isTableShown ? new Set(form.getAll('source')) : null),
    errors: refusedCount > 0 && !isTableShown ? { lines: messages.refusedLines(refusedCount) } : {},
  };
}

const hashOf = (text: string) =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16);

type PlannedText =
  | { readonly kind: 'planned'; readonly rows: readonly ImportRow[] }
  | { readonly kind: 'invalid'; readonly problem: string };

async function planText(context: RadarPageContext, text: string): Promise<PlannedText> {
  const { db, site } = context;
  const content = text.replace(/^\ufeff/, '').trimStart();
  if (content.startsWith('<')) {
    // The byte order mark sets UTF-8, because a pasted file may declare another encoding.
    const opml = readOpml(new TextEncoder().encode(`\ufeff${content}`));
    if (opml.kind === 'read') {
      return { kind: 'planned', rows: await planOpmlImport(db, opml, site.language) };
    }
    const { line, problem } = opml.problem;
    const message = sourceSetupMessages(site.language).invalidFile(line, problem[site.language]);
    return { kind: 'invalid', problem: message };
  }
  const lines = text.split('\n').flatMap((line, index) => {
    const value = line.trim();
    return value === '' ? [] : [{ line: index + 1, text: value }];
  });
  if (lines.length > LINES_MAX) {
    return { kind: 'invalid', problem: setupMessages(site.language).tooManyLines(LINES_MAX) };
  }
  return { kind: 'planned', rows: await planLines(context, lines) };
}

type PastedLine = { readonly line: number; readonly text: string };

async function planLines(
  context: RadarPageContext,
  lines: readonly PastedLine[],
): Promise<readonly ImportRow[]> {
  const { world, robots, templates, site, db } = context;
  const deps = { world, robots, addresses: templates, canOpenLoopback: false };
  const foundSources: { readonly line: number; readonly definition: SourceDefinition }[] = [];
  const refusedRows: ImportRow[] = [];
  const waitingLines = [...lines];
  const checkWaitingLines = async () => {
    for (;;) {
      const waitingLine = waitingLines.shift();
      if (waitingLine === undefined) return;
      const { line, text } = waitingLine;
      const result = await resolveLine(deps, text);
      if (result.kind === 'source') foundSources.push({ line, definition: result.definition });
      else {
        const reasons = describeRefusal(context, result);
        refusedRows.push({ kind: 'refused', line, folder: '', name: text, url: null, reasons });
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_LINES }, checkWaitingLines));
  foundSources.sort((a, b) => a.line - b.line);
  const definitions = foundSources.map(({ definition }) => definition);
  const rows = await planDefinitions(db, definitions, site.language);
  return [
    ...rows.map((row, index) => ({ ...row, line: foundSources[index]?.line ?? null })),
    ...refusedRows,
  ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

function describeRefusal(
  { site }: RadarPageContext,
  result: Exclude<ResolveLineResult, { readonly kind: 'source' }>,
): readonly string[] {
  const messages = setupMessages(site.language);
  switch (result.kind) {
    case 'invalid':
      return [result.problem[site.language]];
    case 'failed':
      return result.tried
        .slice(0, 1)
        .map((attempt) => messages.lineTried(formatAttempt(attempt, site.language)));
    case 'choices':
      return [messages.lineChoices(result.candidates.map(({ url }) => url).join(' '))];
  }
}

export function renderOwnPart(
  { site }: RadarPageContext,
  values: URLSearchParams,
  { errors, own }: { readonly errors: FieldErrors; readonly own: OwnSources | null },
): Html {
  const { language } = site;
  const messages = setupMessages(language);
  const text = values.get('lines') ?? '';
  const isTableShown = values.get('shown') === hashOf(text);
  const chosenRows = isTableShown ? new Set(values.getAll('source')) : null;
  const hasRows = own !== null && own.rows.length > 0;
  // A script shows this field and copies the file into the text, because forms are sent without
  // files. CSS reserves its space.
  return html`<div class="field for-scripts" data-file-into="lines">\
<label for="opml-file">${messages.opmlFile}</label>
<input type="file" id="opml-file" accept=".opml,.xml,text/xml,text/x-opml"></div>
${renderTextField({
  name: 'lines',
  label: messages.lines,
  value: text,
  rows: 5,
  help: messages.linesHelp,
  error: errors.lines,
})}
<p><button class="quiet" name="do" value="${CHECK_SOURCES}">${messages.checkLines}</button></p>
<div data-checks="lines">${
    hasRows &&
    html`<input type="hidden" name="shown" value="${hashOf(text)}">
${renderImportTable(language, own.rows, chosenRows)}`
  }</div>`;
}
