// The security log of the account: pages of fifty events, and the whole log as a file.
import { type Html, html } from '../../../kernel/html/html.ts';
import {
  type ExportFormat,
  exportFormats,
  exportRows,
  mediaTypes,
} from '../../../kernel/text/export-rows.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { browserName } from '../../accounts/browser-name.ts';
import type { SecurityLogEntry } from '../../accounts/security-events.ts';
import { readAllSecurityEvents, readSecurityLog } from '../../accounts/security-log.ts';
import { securityLogMessages } from '../messages/security-log.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';

const PATH = '/console/account/security-log';
const PAGE_SIZE = 50;

/** Renders the part of the account page with the link to the log. */
export function renderSecurityLogLink({ site }: ConsoleContext): Html {
  const messages = securityLogMessages(site.language);
  return html`<section class="part" id="security-log"><h2>${messages.title}</h2>
<p class="explains">${messages.about}</p>
<p><a class="button quiet" href="${PATH}">${messages.open}</a></p></section>`;
}

export async function securityLogPage(
  context: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { db, account, site } = context;
  const messages = securityLogMessages(site.language);
  const before = parsePosition(query.get('before') ?? '');
  const logEntries = await readSecurityLog(db, account.id, { before, limit: PAGE_SIZE + 1 });
  const entries = logEntries.slice(0, PAGE_SIZE);
  const lastEntry = logEntries.length > PAGE_SIZE ? entries.at(-1) : undefined;
  const olderQuery =
    lastEntry && new URLSearchParams({ before: `${lastEntry.at}.${lastEntry.id}` });
  const files = exportFormats.map(
    (format) =>
      html` <a class="link" download href="${PATH}.${format}">${format.toUpperCase()}</a>`,
  );
  return {
    kind: 'page',
    title: messages.title,
    body: html`${renderPageHead(messages.title, messages.about)}
<p class="explains">${messages.unknown} <a class="link" href="/console/account">\
${messages.toAccount}</a> · <a class="link" href="/console/keys">${messages.toKeys}</a></p>
${
  entries.length === 0
    ? html`<p class="empty">${messages.none}</p>`
    : renderEvents(context, entries)
}
<p class="more">${
      olderQuery && html`<a rel="next" href="${PATH}?${String(olderQuery)}">${messages.older} →</a>`
    }\
${before !== null && html`<a href="${PATH}">${messages.newest}</a>`}</p>
<p class="more"><span>${messages.export}</span>${files}</p>`,
  };
}

/** Parses `<epoch milliseconds>.<id>`; null: the newest page. */
function parsePosition(text: string) {
  const [, at, id] = /^(\d{1,15})\.(\w{1,60})$/.exec(text) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

function renderEvents(context: ConsoleContext, entries: readonly SecurityLogEntry[]) {
  const { language } = context.site;
  const messages = securityLogMessages(language);
  return renderListTable(
    [
      { label: messages.at, isSelfExplanatory: true },
      { label: messages.what },
      { label: messages.from },
      { label: messages.browser },
    ],
    entries.map(({ at, kind, subject, address, agent }) => [
      singleLineCell(renderDateTime(context, at)),
      rowHeading(html`${messages.events[kind] ?? kind}\
${subject !== null && html`<span class="meta below">${subject}</span>`}`),
      { content: address ?? messages.operator, className: 'mono' },
      address === null ? '' : (browserName(agent) ?? messages.unknownBrowser),
    ]),
    { label: messages.title },
  );
}

const columns = ['id', 'at', 'event', 'subject', 'address', 'agent'] as const;

const valuesOf = (entry: SecurityLogEntry): Record<(typeof columns)[number], string | null> => ({
  id: entry.id,
  at: toWireTime(entry.at),
  event: entry.kind,
  subject: entry.subject,
  address: entry.address,
  agent: entry.agent,
});

/** The byte order mark makes Excel read CSV as UTF-8. */
async function* exportLog(
  { db, account }: ConsoleContext,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield '\uFEFF';
  yield* exportRows(logRows(db, account.id), columns, format);
}

async function* logRows(db: ConsoleContext['db'], accountId: string) {
  for await (const entry of readAllSecurityEvents(db, accountId)) yield valuesOf(entry);
}

/** The whole log as a file. */
export const securityLogFile =
  (format: ExportFormat) =>
  async (context: ConsoleContext): Promise<ConsoleResponse> => ({
    kind: 'file',
    name: `security-log.${format}`,
    type: mediaTypes[format],
    text: exportLog(context, format),
  });
