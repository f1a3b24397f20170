// Writes a note for readers about a changed text: its earlier and its current title or figure.

export type CorrectedText = { readonly title: string; readonly summary: string | null };

const figuresOf = ({ title, summary }: CorrectedText): readonly string[] =>
  `${title}\n${summary ?? ''}`.match(/\d[\d,.]*\d|\d/gu) ?? [];

/** Null when the title is unchanged, and no figure or several figures were replaced. */
export function describeCorrection(
  language: 'en' | 'zh-CN',
  before: CorrectedText,
  after: CorrectedText,
): string | null {
  const [previousFigures, currentFigures] = [figuresOf(before), figuresOf(after)];
  const [removedFigure, ...otherRemoved] = previousFigures.filter(
    (figure) => !currentFigures.includes(figure),
  );
  const [addedFigure, ...otherAdded] = currentFigures.filter(
    (figure) => !previousFigures.includes(figure),
  );
  const isSingleChange = otherRemoved.length === 0 && otherAdded.length === 0;
  if (removedFigure !== undefined && addedFigure !== undefined && isSingleChange) {
    return language === 'en'
      ? `An earlier version said ${removedFigure}; it now says ${addedFigure}.`
      : `此前版本为${removedFigure}，现为${addedFigure}。`;
  }
  if (after.title === before.title) return null;
  return language === 'en'
    ? `The title was “${before.title}”; it is now “${after.title}”.`
    : `标题原为“${before.title}”，现为“${after.title}”。`;
}
