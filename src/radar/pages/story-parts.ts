// The parts of a story in every list: its sources in a line, whether its reports disagree, and
// whether a figure was revised.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { guessLanguage } from '../../kernel/html/text-language.ts';
import { formatFigures } from '../publication/documents/format-difference.ts';
import type { StorySummary } from '../publication/documents/story-summary.ts';
import type { ReaderMessages } from './messages/reader.ts';

const NAMED_MAX = 2;

/** `7 sources: Meridian Wire, Ferrous Daily and 5 more`. */
export function renderSourcesLine(
  { sourceCount, sourceNames }: Pick<StorySummary, 'sourceCount' | 'sourceNames'>,
  messages: ReaderMessages,
): Html {
  // Signal sources are listed but not counted.
  const firstNames = sourceNames.slice(0, Math.min(NAMED_MAX, sourceCount));
  const otherCount = sourceCount - firstNames.length;
  const endsWithAnd = otherCount === 0 && firstNames.length > 1;
  const lastName = endsWithAnd ? firstNames.at(-1) : undefined;
  const listedNames = endsWithAnd ? firstNames.slice(0, -1) : firstNames;
  return html`<span class="sources"><b>${messages.sourceCount(sourceCount)}</b>${messages.colon}\
${listedNames.map(
  (name, index) => html`${index > 0 && messages.comma}<span class="name-of">${name}</span>`,
)}${lastName !== undefined && html`${messages.and}<span class="name-of">${lastName}</span>`}\
${otherCount > 0 && html` <span class="name-of">${messages.andOthers(otherCount)}</span>`}</span>`;
}

/** The marks of a story, each with a link to its explanation; empty without marks. */
export function renderStoryMarks(story: StorySummary | null, messages: ReaderMessages): Html {
  if (story === null) return nothing;
  const [contradiction] = story.contradictions;
  const { revision } = story;
  return html`${
    contradiction &&
    html`<p class="mark"><a href="/stories/${story.id}#disagree">\
${messages.disagree}</a>${messages.colon}\
<span lang="${guessLanguage(contradiction.subject)}">\
${formatFigures(contradiction.subject, contradiction.values.join(' / '))}</span>${
      story.contradictions.length > 1 &&
      html` <span class="meta">${messages.andMore(story.contradictions.length - 1)}</span>`
    }</p>
`
  }${
    revision !== null &&
    html`<p class="mark revised"><a href="/stories/${story.id}#revised">\
${messages.revised}</a>${messages.colon}\
<span lang="${guessLanguage(revision.subject)}">\
${formatFigures(revision.subject, `${revision.previous} → ${revision.current}`)}</span></p>
`
  }`;
}

/** Keeps each Chinese name of a source on one line. Browsers can break Chinese text anywhere. */
export function keepNamesTogether(text: string, names: readonly string[]): readonly Html[] {
  const hanNames = new Set(names.filter((name) => /^\p{Script=Han}{2,12}$/u.test(name)));
  if (hanNames.size === 0) return [html`${text}`];
  // Longer names come first, because one name can begin with another.
  const namesByLength = [...hanNames].sort((a, b) => b.length - a.length);
  return text
    .split(new RegExp(`(${namesByLength.join('|')})`, 'u'))
    .map((part) =>
      hanNames.has(part) ? html`<span class="name-of">${part}</span>` : html`${part}`,
    );
}
