// Cuts what is too long at a word's end, and says so with an ellipsis.

/** At most `limit` characters, the ellipsis included; never in the middle of a word. */
export function clipAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = text.slice(0, limit - 1);
  // A clause's end within the last third reads better than whatever word comes last.
  const clause = Math.max(...['，', '；', '。', ', ', '; ', ': '].map((m) => room.lastIndexOf(m)));
  if (clause > limit * 0.66) return `${room.slice(0, clause)}…`;
  const words = new Intl.Segmenter('und', { granularity: 'word' });
  let end = 0;
  for (const { index, segment } of words.segment(text.slice(0, limit * 2))) {
    if (index + segment.length > room.length) break;
    end = index + segment.length;
  }
  // One endless "word": cut between characters, never inside a pair of surrogates.
  const cut = end > 0 ? text.slice(0, end) : room.replace(/[\ud800-\udbff]$/u, '');
  return `${cut.replace(/[\s\p{P}]+$/u, '')}…`;
}
