// How an item's words are counted: once for the story that tells them first, and a little for each
// who tells them again. Counted by items, a story that everybody tells would make its own names
// common; counted once, a stream about one thing would never find its own words common, and all of
// it would become one story.

import { type Section, termOf } from './feature-store.ts';
import { grown } from './grow-typed-array.ts';
import type { Terms } from './terms.ts';

export type TermList = (slot: number, section: Section) => Int32Array;

export type WordCounter = {
  /** Counts an item's words; `companions` are slots that tell the same, or may. */
  count(slot: number, companions: readonly number[], isNew: boolean): void;
  /** Two stories became one: what both told is counted once. */
  recount(a: readonly number[], b: readonly number[]): void;
};

const inTitle = ['title', 'pairs', 'concepts', 'days', 'glyphs'] as const;
const inLead = ['leadConcepts', 'names', 'allFigures', 'sounds'] as const;

export function openWordCounter(terms: Terms, list: TermList, toldAgain: number): WordCounter {
  // A term's mark tells in which round it was seen last: sets of their own took most of the time.
  let titleMarks = new Uint32Array(1 << 14);
  let leadMarks = new Uint32Array(1 << 14);
  let ownMarks = new Uint32Array(1 << 14);
  let round = 0;
  const open = (): void => {
    round += 1;
    if (terms.size <= titleMarks.length) return;
    titleMarks = grown(titleMarks, terms.size);
    leadMarks = grown(leadMarks, terms.size);
    ownMarks = grown(ownMarks, terms.size);
  };
  const mark = (slot: number): void => {
    for (const name of inTitle) for (const term of list(slot, name)) titleMarks[term] = round;
    for (const entry of list(slot, 'doc')) leadMarks[termOf(entry)] = round;
    for (const name of inLead) for (const term of list(slot, name)) leadMarks[term] = round;
  };
  const isTold = (term: number) => titleMarks[term] === round || leadMarks[term] === round;
  /** Visits an item's distinct terms; those of the title are not the lead's too. */
  const visitOwn = (slot: number, visit: (term: number, isTitle: boolean) => void): void => {
    const once = (term: number, isTitle: boolean): void => {
      if (ownMarks[term] === round) return;
      ownMarks[term] = round;
      visit(term, isTitle);
    };
    for (const name of inTitle) for (const term of list(slot, name)) once(term, true);
    for (const entry of list(slot, 'doc')) once(termOf(entry), false);
    for (const name of inLead) for (const term of list(slot, name)) once(term, false);
  };
  return {
    count(slot, companions, isNew) {
      open();
      for (const other of companions) mark(other);
      const fresh = { title: [] as number[], lead: [] as number[] };
      const again = { title: [] as number[], lead: [] as number[] };
      visitOwn(slot, (term, isTitle) => {
        const told = isTitle ? titleMarks[term] === round : isTold(term);
        (told ? again : fresh)[isTitle ? 'title' : 'lead'].push(term);
      });
      terms.count(fresh.title, fresh.lead, 1, isNew);
      terms.count(again.title, again.lead, toldAgain, false);
    },
    recount(a, b) {
      open();
      for (const slot of a) mark(slot);
      const both = { title: new Set<number>(), lead: new Set<number>() };
      for (const slot of b) {
        for (const name of inTitle) {
          for (const term of list(slot, name)) {
            if (titleMarks[term] === round) both.title.add(term);
            if (isTold(term)) both.lead.add(term);
          }
        }
        for (const entry of list(slot, 'doc')) {
          if (isTold(termOf(entry))) both.lead.add(termOf(entry));
        }
        for (const name of inLead) {
          for (const term of list(slot, name)) if (isTold(term)) both.lead.add(term);
        }
      }
      terms.uncount([...both.title], [...both.lead]);
    },
  };
}
