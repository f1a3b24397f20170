// The warnings of a fetch in the page's language. Old fetches have English text without codes,
// which is shown as it is.

import { type Html, html } from '../../../kernel/html/html.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { type FetchWarning, formatWarning } from '../../sources/fetch/fetch-warning.ts';

export type Told = { readonly notes: readonly FetchWarning[]; readonly message: string | null };

export function notesBelow(language: Language, { notes, message }: Told): Html | null {
  const stop = language === 'en' ? '; ' : '；';
  const said = notes.map((note) => formatWarning(note, language).replace(/[.。]$/u, '')).join(stop);
  if (said !== '') return html`<span class="meta below">${said}</span>`;
  return message === null ? null : html`<span class="meta below" lang="en">${message}</span>`;
}
