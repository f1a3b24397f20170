// What a bare number counts when no attribute of ours is near: the noun that follows it ("400
// warehouses", 504个量子比特). Two reports that count the same noun are compared.
import { cue } from '../../language/cues.ts';

const stop = cue('no-noun');
const plural = cue('plural-noun');
const measure = '[个位名家款项台块张座种层篇条次起部颗辆枚架艘间份例只头株批套场]';
const han = new RegExp(`^\\s?[多余]?${measure}([\\p{sc=Han}]{2,4})`, 'u');

/** `number-warehouses`; null when nothing plain follows the figure that ends at `end`. */
export function countedNoun(text: string, end: number): string | null {
  const tail = text.slice(end, end + 40);
  const zh = han.exec(tail)?.[1];
  if (zh !== undefined) return `number-${zh.slice(0, 2)}`;
  for (const [index, word] of tail.trim().split(/[ -]/u).slice(0, 3).entries()) {
    if (stop.test(word)) return null;
    const bare = word.replace(/[.,;:!?"'”’)]+$/u, '');
    if (plural.test(bare)) return `number-${bare}`;
    if (bare !== word || index === 2 || !/^[a-z]+$/u.test(bare)) return null;
  }
  return null;
}
