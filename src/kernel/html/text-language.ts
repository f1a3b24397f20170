// Guesses the language of a text without a language tag, for speech output and fonts. The script is
// enough to distinguish Chinese from English here.
import { type Html, html, nothing } from './html.ts';

const han = /\p{Script=Han}/gu;
const latin = /\p{Script=Latin}+/gu;

/** BCP 47 tag. One Han character counts as much as one word. */
export function guessLanguage(text: string): 'zh' | 'en' {
  const hanCount = text.match(han)?.length ?? 0;
  const wordCount = text.match(latin)?.length ?? 0;
  return hanCount > wordCount ? 'zh' : 'en';
}

/** The `lang` attribute for a third party's text; nothing when it has the language of the page. */
export function langAttribute(text: string, page: 'en' | 'zh-CN'): Html {
  const language = guessLanguage(text);
  return page.startsWith(language) ? nothing : html` lang="${language}"`;
}

/** Wraps a third party's text within a line of the page. */
export function markLanguage(text: string, page: 'en' | 'zh-CN'): Html {
  const lang = langAttribute(text, page);
  return lang === nothing ? html`${text}` : html`<span${lang}>${text}</span>`;
}
