// Shortens a text at the end of a word and adds an ellipsis.

/** At most `limit` characters including the ellipsis. Only a single longer word is cut inside. */
export function clipAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const available = text.slice(0, limit - 1);
  // A clause end in the last third is preferred to the last word.
  const clause = Math.max(
    ...['，', '；', '。', ', ', '; ', ': '].map((mark) => available.lastIndexOf(mark)),
  );
  if (clause > limit * 0.66) return `${available.slice(0, clause)}…`;
  const words = new Intl.Segmenter('und', { granularity: 'word' });
  let end = 0;
  for (const { index, segment } of words.segment(text.slice(0, limit * 2))) {
    if (index + segment.length > available.length) break;
    end = index + segment.length;
  }
  // A single very long word is cut between characters, never inside a surrogate pair.
  const cut = end > 0 ? text.slice(0, end) : available.replace(/[\ud800-\udbff]$/u, '');
  return `${cut.replace(/[\s\p{P}]+$/u, '')}…`;
}
