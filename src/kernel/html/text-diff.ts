// Renders the difference of two texts as HTML: removed words in `<del>`, new words in `<ins>`.
// `Intl.Segmenter` finds the words, so Chinese is also compared by words.
import { type ChangeObject, diffArrays } from 'diff';
import { type Html, html } from './html.ts';
import { langAttribute, markLanguage } from './text-language.ts';

type PageLanguage = 'en' | 'zh-CN';

/** A text with more changed words is marked as wholly replaced. */
const EDITS_MAX = 500;

const segmenters = {
  en: new Intl.Segmenter('en', { granularity: 'word' }),
  'zh-CN': new Intl.Segmenter('zh-CN', { granularity: 'word' }),
} as const;

/** `page`: the language of the page; parts in the other language have a `lang` attribute. */
export function renderTextDiff(before: string, after: string, page: PageLanguage): Html {
  return html`${diffWords(before, after, page).map(({ value, added, removed }) => {
    const text = value.join('');
    if (!added && !removed) return markLanguage(text, page);
    const lang = langAttribute(text, page);
    return removed ? html`<del${lang}>${text}</del>` : html`<ins${lang}>${text}</ins>`;
  })}`;
}

function diffWords(
  before: string,
  after: string,
  page: PageLanguage,
): readonly Pick<ChangeObject<string[]>, 'value' | 'added' | 'removed'>[] {
  const [oldWords, newWords] = [before, after].map((text) =>
    [...segmenters[page].segment(text)].map(({ segment }) => segment),
  );
  return (
    diffArrays(oldWords ?? [], newWords ?? [], { maxEditLength: EDITS_MAX }) ?? [
      { value: [before], removed: true, added: false },
      { value: [after], removed: false, added: true },
    ]
  );
}
