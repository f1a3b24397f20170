// Removes the publisher's name from both ends of a title. A segment is removed when it matches the
// source's name, its host or a known publisher. After a bar "|" any short last segment is removed.
import { normalizedLetters } from '../../../kernel/text/normalized-letters.ts';
import type { TitleRules } from '../editorial-files.ts';

const separator = /\s+(?:[-–—|·•»]|::|\/\/)\s+|\s*[|｜丨]\s*|_(?=[^_\s]+$)|\s*[—–]{2}\s*/gu;
const SEGMENT_WORDS_MAX = 6;
const SEGMENT_CHARACTERS_MAX = 48;

type Segment = { readonly text: string; readonly start: number; readonly mark: string };

/** Opens a function that removes site names from a title. */
export function openSiteNameRemover(
  rules: TitleRules,
): (title: string, sourceName: string, url: string) => string {
  const publishers = new Set(rules.publishers.map(normalizedLetters));
  const siteWords = new Set(rules.siteWords.map((word) => word.toLowerCase()));

  const isPublisher = (name: string): boolean => publishers.has(normalizedLetters(name));

  const isSite = (segment: string, sourceName: string, hostLabels: readonly string[]): boolean => {
    const words = segment.trim().split(/\s+/u);
    if (words.length > SEGMENT_WORDS_MAX || segment.length > SEGMENT_CHARACTERS_MAX) return false;
    const joinedSegment = normalizedLetters(segment);
    if (joinedSegment === '') return false;
    if (publishers.has(joinedSegment)) return true;
    const source = coreName(sourceName, siteWords);
    const name = coreName(segment, siteWords);
    if (joinedSegment === normalizedLetters(sourceName) || (name !== '' && name === source))
      return true;
    return hostLabels.some(
      (label) => label === joinedSegment || (name.length >= 3 && label === name),
    );
  };

  return (title, sourceName, url) => {
    const labels = hostLabelsOf(url);
    let remaining = title;
    // A title can have a section and a site name.
    for (let round = 0; round < 2; round += 1) {
      const segments = splitTitle(remaining);
      const lastSegment = segments.at(-1);
      const firstSegment = segments[0];
      if (segments.length < 2 || lastSegment === undefined || firstSegment === undefined) break;
      const titleBeforeLast = remaining
        .slice(0, lastSegment.start - lastSegment.mark.length)
        .trim();
      const isShortSegmentAfterBar =
        /[|｜丨]/u.test(lastSegment.mark) && isShortTail(lastSegment.text, titleBeforeLast);
      const secondSegment = segments[1];
      if (isSite(lastSegment.text, sourceName, labels) || isShortSegmentAfterBar)
        remaining = titleBeforeLast;
      else if (secondSegment && isSite(firstSegment.text, sourceName, labels))
        remaining = remaining.slice(secondSegment.start);
      else break;
    }
    return withoutLeadingName(withoutBracket(remaining, isPublisher), sourceName);
  };
}

/** Removes "(Reuters)" at the end, and other known publishers. */
function withoutBracket(title: string, isPublisher: (name: string) => boolean): string {
  const match = /\s*[(（](?<name>[^()（）]{2,40})[)）]$/u.exec(title);
  if (match?.groups?.name === undefined || !isPublisher(match.groups.name)) return title;
  return title.slice(0, match.index);
}

/**
 * Removes "The Batch: " at the beginning. The name must have at least two words, because a company
 * with a one-word name may be the subject.
 */
function withoutLeadingName(title: string, sourceName: string): string {
  const name = sourceName.split(/\s+[|–—-]\s+/u, 1)[0]?.trim() ?? '';
  if (!/\s|\p{sc=Han}{3}/u.test(name)) return title;
  const startsWithName = title.slice(0, name.length).toLowerCase() === name.toLowerCase();
  const remaining = title.slice(name.length);
  return startsWithName && /^\s*[:：]\s*\S/u.test(remaining)
    ? remaining.replace(/^\s*[:：]\s*/u, '')
    : title;
}

/** True for at most three words without a digit that are shorter than the title before them. */
function isShortTail(tail: string, head: string): boolean {
  const words = tail.trim().split(/\s+/u).length;
  return words <= 3 && tail.length <= 30 && !/\p{N}/u.test(tail) && head.length > tail.length;
}

function splitTitle(title: string): readonly Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  let mark = '';
  for (const match of title.matchAll(separator)) {
    segments.push({ text: title.slice(start, match.index), start, mark });
    start = match.index + match[0].length;
    mark = match[0];
  }
  segments.push({ text: title.slice(start), start, mark });
  return segments;
}

/** The name without additions of sites: "The Acme Blog" is "acme". */
function coreName(name: string, siteWords: ReadonlySet<string>): string {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '' && !siteWords.has(word)).join('');
}

function hostLabelsOf(url: string): readonly string[] {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./u, '') : '';
  if (host === '') return [];
  return [normalizedLetters(host), ...host.split('.').slice(0, -1).map(normalizedLetters)].filter(
    (label) => label.length > 2,
  );
}
