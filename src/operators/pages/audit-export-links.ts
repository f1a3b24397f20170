// Links that download the audit log as a file. They are below the list of the audit log.
import { type Html, html } from '../../kernel/html/html.ts';
import { exportFormats } from '../../kernel/text/export-rows.ts';
import type { Language } from '../../kernel/web/language.ts';
import { operatorPageMessages } from './messages.ts';

/** `filter`: the the list's query parameters, which the export also applies. */
export function auditExportLinks(
  language: Language,
  filter: Readonly<Record<string, string>>,
): Html {
  const messages = operatorPageMessages(language);
  const query = String(new URLSearchParams(filter));
  const links = exportFormats.map(
    (format) => html` <a class="link" download \
href="/admin/audit.${format}${query && `?${query}`}">${format.toUpperCase()}</a>`,
  );
  return html`<p class="more"><span>${messages.exportAudit}</span>${links}</p>`;
}
