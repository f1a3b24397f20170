// Guesses the language of a text without a language tag, for speech output and fonts. The script is
// enough to distinguish Chinese from English here.
import { type Html, html, nothing } from './html.ts';

const han = /\p{Script=Han}/gu;
const latin = /\p{Script=Latin}+/gu;

/** BCP 47. A Han sign weighs as much as a word. */
export function textLanguage(text: string): 'zh' | 'en' {
  const signs = text.match(han)?.length ?? 0;
  const words = text.match(latin)?.length ?? 0;
  return signs > words ? 'zh' : 'en';
}

/** The attribute of a third party's text on a page of that language; nothing where both agree. */
export function langOf(text: string, page: 'en' | 'zh-CN'): Html {
  const language = textLanguage(text);
  return page.startsWith(language) ? nothing : html` lang="${language}"`;
}

/** A third party's text within a line of ours. */
export function marked(text: string, page: 'en' | 'zh-CN'): Html {
  const lang = langOf(text, page);
  return lang === nothing ? html`${text}` : html`<span${lang}>${text}</span>`;
}
