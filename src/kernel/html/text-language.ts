// Guesses the language of a text without a language tag, for speech output and fonts. The script is
// enough to distinguish Chinese from English here.
import { type Html, html, nothing } from './html.ts';

const han = /\p{Script=Han}/gu;
const latin = /\p{Script=Latin}+/gu;

/** BCP 47 tag. One Han character counts as much as one word. */
export function textLanguage(text: string): 'zh' | 'en' {
  const signs = text.match(han)?.length ?? 0;
  const words = text.match(latin)?.length ?? 0;
  return signs > words ? 'zh' : 'en';
}

/** The `lang` attribute for a third party's text; nothing when it has the language of the page. */
export function langOf(text: string, page: 'en' | 'zh-CN'): Html {
  const language = textLanguage(text);
  return page.startsWith(language) ? nothing : html` lang="${language}"`;
}

/** A third party's text within a line of the page. */
export function markLanguage(text: string, page: 'en' | 'zh-CN'): Html {
  const lang = langOf(text, page);
  return lang === nothing ? html`${text}` : html`<span${lang}>${text}</span>`;
}
