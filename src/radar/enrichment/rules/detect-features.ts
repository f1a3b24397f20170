// Computes the evidence of an item: which features of the editorial folder match, and how strongly.
// Category, score and reason use the same evidence, so they do not contradict each other.
import type { FeatureRules } from '../editorial-files.ts';
import { foldForMatching, openMatcher } from './match-phrases.ts';

export type EvidenceInput = {
  /** The source's own title. */
  readonly title: string;
  /** The beginning of the text. */
  readonly lead: string;
  /** The written title and summary. */
  readonly visible: string;
  readonly url: string;
  /** The source's tier. */
  readonly source: string;
};

/** By feature: 1 for a match in its own field, `leadFactor` for a title's feature in the lead. */
export type Evidence = ReadonlyMap<string, number>;

export type EvidenceReader = (input: EvidenceInput) => Evidence;

/** Length of the lead in characters. */
const leadCharacters = 400;

export function openEvidenceReader(rules: FeatureRules, leadFactor: number): EvidenceReader {
  const features = Object.entries(rules).map(([id, rule]) => ({
    id,
    place: rule.in,
    matchesField: openMatcher(rule),
    // The lead is matched only by phrases, because patterns describe the form of a title.
    matchesLead: openMatcher({ en: rule.en, zh: rule.zh }),
  }));
  return (input) => {
    const folded = {
      title: foldForMatching(input.title),
      lead: foldForMatching(input.lead.slice(0, leadCharacters)),
      visible: foldForMatching(input.visible),
      url: input.url,
      source: input.source,
    };
    const evidence = new Map<string, number>();
    for (const { id, place, matchesField, matchesLead } of features) {
      if (matchesField(folded[place])) evidence.set(id, 1);
      else if (place === 'title' && matchesLead(folded.lead)) evidence.set(id, leadFactor);
    }
    return evidence;
  };
}
