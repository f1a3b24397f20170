// The warnings of a fetch in the page's language. Fetches that were stored before warnings had
// codes have an English text, which is shown unchanged.

import { type Html, html } from '../../../kernel/html/html.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { type FetchWarning, formatWarning } from '../../sources/fetch/fetch-warning.ts';

export type FetchMessages = {
  readonly notes: readonly FetchWarning[];
  readonly message: string | null;
};

export function renderWarnings(language: Language, { notes, message }: FetchMessages): Html | null {
  const separator = language === 'en' ? '; ' : '；';
  const warningsText = notes
    .map((note) => formatWarning(note, language).replace(/[.。]$/u, ''))
    .join(separator);
  if (warningsText !== '') return html`<span class="meta below">${warningsText}</span>`;
  return message === null ? null : html`<span class="meta below" lang="en">${message}</span>`;
}
