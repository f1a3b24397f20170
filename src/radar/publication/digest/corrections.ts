// Where a report takes a figure back in so many words, or says from what to what it changed: which
// of its figures was, and which is now.
import type { Figure } from './read-figures.ts';

const corrected =
  /\bcorrect(?:s|ed|ion|ions|ing)\b|\brevis(?:e|es|ed|ion|ing)\b|\bamend(?:s|ed|ment)?\b|\brestat(?:e|es|ed|ing)\b|\bclarif(?:y|ies|ied)\b|\bretract(?:s|ed)?\b|\b(?:as|than|was|were|had been|it|we|had) (?:first|earlier|initially|previously|originally) (?:said|stated|reported|given|announced|thought|believed|put|estimated|feared|published)\b|\bearlier (?:figure|report|estimate|version|statement|count)\b|\bnot .{1,24} as (?:first|earlier|previously|originally|we)\b|\bnow (?:says?|puts?|stands?|gives?|counts?|estimates?|expects?|confirms?|reports?|believes?|acknowledges?|admits?)\b|\bupdat(?:es|ed|ing)? (?:its|the|that|their|an?) (?:\w+ )?(?:figure|count|estimate|number|tally|toll|total|statement|filing)|\braises? (?:its|the) (?:estimate|tally|toll|count)|更正|修正|订正|勘误|修订|更新为|改口|澄清|(?:此前|先前|早前|之前|最初|原先|原)(?:所述|披露|公布|报道|称|的?说法|给出|通报|误报|误写|误称)|现(?:更正|改|调整|为|已?确认|已?更新)|有误|调整为|重新核算|实为|而非此前/u;
const wasBefore =
  /(?:\bfrom|\bnot|\brather than|\binstead of|\bearlier|\bprevious(?:ly)?|\bfirst|\binitial(?:ly)?|\boriginal(?:ly)?|\breplac(?:es|ing)|\bwas|\bhad said|\bformerly)(?:[ :](?!to\b|now\b)[^,;:]{0,26})?[ (]$|(?:由|从|此前|原先?|最初|先前|而非|不是|之前|早前|初报|误[报写称])[^,;]{0,14}$/u;
const wasAfter =
  /^\s?(?:,? ?(?:as|which|that|it|than) (?:\w+ )?(?:had )?(?:been )?(?:first|previously|earlier|originally|initially)|(?:first|previously|earlier|originally|initially) (?:said|stated|reported|given|announced)|[^,;，]{0,6}(?:有误|错误|不实|的说法|系误)|[,，]?\s?(?:现)?(?:修正|更正|调整|上调|下调|修订|更新|改)(?:为|至|到)|(?:改|升|增|降|涨|提高|增加|减|调)(?:为|至|到))/u;
const nowBefore =
  /(?:\bto|\bnow|\bis|\bare|\binstead|修正为|更正为|调整为|更新为|改为|应为|实为|现为|至|到)[^,;\d]{0,24}$/u;

/** Whether the folded, lower-case sentence corrects anything. */
export function isCorrection(text: string): boolean {
  return corrected.test(text);
}

const change = /^\s?(?:(?:[^,;\d]{0,24}\s)?to|[^,;\d]{0,10}(?:至|到|为))\s?[^,;\d]{0,16}$/u;

/** Of two figures, that the first was and the second is: "from 10 to 12", 由10增至12. */
export function isChange(text: string, a: Figure, b: Figure): boolean {
  const head = text.slice(Math.max(0, a.start - 12), a.start);
  if (!/(?:\bfrom\s(?:about |some |around )?|由|从|自|原来?的?)\s?$/u.test(head)) return false;
  return change.test(text.slice(a.end, b.start).replace(/[$€£¥]|us/gu, ''));
}

const backFrom =
  /(?:\b(?:down|up|rising|falling|increased?|decreased?|drop(?:ped)?|risen?|rose|cut|reduced|raised|lowered|instead)[^,;\d]{0,14} from|\bfrom|\binstead of|原价|原来?的?|此前的?|之前的?)\s?(?:about |some |an? )?$/u;

/** The other way round: "12, up from 10". */
export function isChangeBack(text: string, a: Figure, b: Figure): boolean {
  const between = text.slice(a.end, b.start).replace(/(?:us)?[$€£¥]\s?$/u, '');
  return between.length <= 80 && backFrom.test(between);
}

/** The side of a correction on which a figure stands. */
export function sideOf(text: string, figure: Pick<Figure, 'start' | 'end'>): 'was' | 'now' {
  const head = text.slice(Math.max(0, figure.start - 44), figure.start).replace(/[$€£¥]\s?$/u, '');
  const tail = text.slice(figure.end, figure.end + 30);
  if (wasAfter.test(tail)) return 'was';
  const wasAt = wasBefore.exec(head)?.index ?? -1;
  const nowAt = nowBefore.exec(head)?.index ?? -1;
  return wasAt >= 0 && wasAt >= nowAt ? 'was' : 'now';
}
