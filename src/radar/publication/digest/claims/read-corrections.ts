// Finds the previous and the current figure in a sentence that corrects a figure or states a
// change.
import { cuePattern } from '../../../language/cues.ts';
import type { Figure } from '../../../language/read-figures.ts';

const corrected = cuePattern('corrected');
const wasBefore = cuePattern('was-before');
const nowBefore = cuePattern('now-before');

/** Whether the folded, lower-case sentence corrects anything. */
export function isCorrection(text: string): boolean {
  return corrected.test(text);
}

const change = /^\s?(?:(?:[^,;\d]{0,24}\s)?to|[^,;\d]{0,10}(?:至|到|为))\s?[^,;\d]{0,16}$/u;

/**
 * The first figure is the previous one, the second the current one: "from 10 to 12", 由10增至12.
 */
export function isChange(text: string, a: Figure, b: Figure): boolean {
  const head = text.slice(Math.max(0, a.start - 12), a.start);
  const isFrom = /(?:\bfrom\s(?:about |some |around )?|由|从|自|原来?的?)\s?$/u.test(head);
  if (!isFrom) return false;
  return change.test(text.slice(a.end, b.start).replace(/[$€£¥]|us/gu, ''));
}

const backFrom = cuePattern('back-from');

/** The reverse order: "12, up from 10". */
export function isChangeBack(text: string, a: Figure, b: Figure): boolean {
  const between = text.slice(a.end, b.start).replace(/(?:us)?[$€£¥]\s?$/u, '');
  return between.length <= 80 && backFrom.test(between);
}

/** The side of a correction on which a figure stands. */
export function sideOf(
  text: string,
  figure: Pick<Figure, 'start' | 'end'>,
): 'previous' | 'current' {
  const head = text.slice(Math.max(0, figure.start - 44), figure.start).replace(/[$€£¥]\s?$/u, '');
  const wasAt = wasBefore.exec(head)?.index ?? -1;
  const nowAt = nowBefore.exec(head)?.index ?? -1;
  return wasAt >= 0 && wasAt >= nowAt ? 'previous' : 'current';
}
