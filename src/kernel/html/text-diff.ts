// The difference of two texts as HTML: removed words in `<del>`, new ones in `<ins>`. Words are
// those of the page's language, so Chinese is compared by words too.
import { type ChangeObject, diffArrays } from 'diff';
import { type Html, html } from './html.ts';
import { langOf, markLanguage } from './text-language.ts';

type PageLanguage = 'en' | 'zh-CN';

/** Texts with more changed words are replaced as a whole. */
const EDITS_MAX = 500;

const segmenters = {
  en: new Intl.Segmenter('en', { granularity: 'word' }),
  'zh-CN': new Intl.Segmenter('zh-CN', { granularity: 'word' }),
} as const;

/** `page`: the language of the page; parts in the other language have a `lang` attribute. */
export function textDiff(before: string, after: string, page: PageLanguage): Html {
  return html`${diffWords(before, after, page).map(({ value, added, removed }) => {
    const text = value.join('');
    if (!added && !removed) return markLanguage(text, page);
    const lang = langOf(text, page);
    return removed ? html`<del${lang}>${text}</del>` : html`<ins${lang}>${text}</ins>`;
  })}`;
}

function diffWords(
  before: string,
  after: string,
  page: PageLanguage,
): readonly Pick<ChangeObject<string[]>, 'value' | 'added' | 'removed'>[] {
  const [old, now] = [before, after].map((text) =>
    [...segmenters[page].segment(text)].map(({ segment }) => segment),
  );
  return (
    diffArrays(old ?? [], now ?? [], { maxEditLength: EDITS_MAX }) ?? [
      { value: [before], removed: true, added: false },
      { value: [after], removed: false, added: true },
    ]
  );
}
