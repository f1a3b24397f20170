// What an item shows: which features of the editorial folder fire on it, and how strongly. The
// classifier, the score and the reason all read this one value, so none says what another denies.
import type { FeatureRules } from '../editorial-files.ts';
import { foldForMatching, openMatcher } from './match-phrases.ts';

export type EvidenceInput = {
  /** The source's own title. */
  readonly title: string;
  /** The beginning of what follows it. */
  readonly lead: string;
  /** What the reader will see: the written title and summary. */
  readonly visible: string;
  readonly url: string;
  /** The source's tier. */
  readonly source: string;
};

/** By feature: 1 when it fires in its own place, `leadFactor` when a title's fires in the lead. */
export type Evidence = ReadonlyMap<string, number>;

export type EvidenceReader = (input: EvidenceInput) => Evidence;

/** Characters of the lead that are read. */
const leadCharacters = 400;

export function openEvidenceReader(rules: FeatureRules, leadFactor: number): EvidenceReader {
  const features = Object.entries(rules).map(([id, rule]) => ({
    id,
    place: rule.in,
    isHit: openMatcher(rule),
    // A pattern of a title's shape means nothing in running text; phrases do.
    isLeadHit: openMatcher({ en: rule.en, zh: rule.zh }),
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
    for (const { id, place, isHit, isLeadHit } of features) {
      if (isHit(folded[place])) evidence.set(id, 1);
      else if (place === 'title' && isLeadHit(folded.lead)) evidence.set(id, leadFactor);
    }
    return evidence;
  };
}
