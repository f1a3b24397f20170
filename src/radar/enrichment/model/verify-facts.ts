// Verifies the facts and tags of a model's reply. A fact needs a literal quotation and a text that
// passes the guardrails. A tag must occur in the source. Rejected entries are recorded.

import type { GuardrailFault } from '../guardrails/check-text.ts';
import { foldName } from '../guardrails/known-names.ts';
import type { SourceText } from '../guardrails/source-text.ts';
import { lettersAndDigits } from '../guardrails/source-text.ts';
import type { ReportedFact } from './enrichment-steps.ts';

export type VerifiedList<T> = {
  readonly verified: readonly T[];
  readonly dropped: readonly string[];
};

const FACT_CHARACTERS_MAX = 240;
const QUOTE_BOUNDS = { min: 8, max: 400 } as const;
const TAG_CHARACTERS_MAX = 40;

export function verifyFacts(
  facts: readonly ReportedFact[],
  max: number,
  source: SourceText,
  faultsOf: (text: string) => readonly GuardrailFault[],
): VerifiedList<ReportedFact> {
  const verified: ReportedFact[] = [];
  const dropped: string[] = [];
  for (const { text, quote } of facts.slice(0, max)) {
    const quotedText = lettersAndDigits(foldName(quote));
    const isQuoted = quote.length <= QUOTE_BOUNDS.max && quotedText.length >= QUOTE_BOUNDS.min;
    const faults =
      text.length > FACT_CHARACTERS_MAX ? [{ what: 'it is too long' }] : faultsOf(text);
    const [fault] = faults;
    if (!isQuoted || !source.joinedText.includes(quotedText)) {
      dropped.push('a fact whose quotation is not in the text');
    } else if (fault !== undefined) dropped.push(`a fact: ${fault.what}`);
    else verified.push({ text: text.trim(), quote: quote.trim() });
  }
  return { verified, dropped };
}

export function verifyTags(
  tags: readonly string[],
  max: number,
  source: SourceText,
): VerifiedList<string> {
  const acceptedTags = new Set<string>();
  const verified: string[] = [];
  const dropped: string[] = [];
  for (const tag of tags.slice(0, max)) {
    const folded = foldName(tag).trim();
    const isSupported = lettersAndDigits(folded).length >= 2 && source.text.includes(folded);
    const isPlain = tag.length <= TAG_CHARACTERS_MAX && !/[<>{}[\]`\n/\\]|https?:/u.test(tag);
    if (!isSupported || !isPlain) dropped.push('a tag that the text does not name');
    else if (!acceptedTags.has(folded)) verified.push(tag.trim());
    acceptedTags.add(folded);
  }
  return { verified, dropped };
}
