// Of what a model lists, only what stands: a fact whose quote is in the text word for word and
// whose sentence passes the guard, a tag that the text spells so. The rest is dropped, and said.

import type { GuardFault } from '../guardrails/check-text.ts';
import { foldName } from '../guardrails/known-names.ts';
import type { Ground } from '../guardrails/source-text.ts';
import { squash } from '../guardrails/source-text.ts';
import type { Fact } from './enrichment-steps.ts';

export type Kept<T> = { readonly kept: readonly T[]; readonly dropped: readonly string[] };

const FACT_MAX = 240;
const QUOTE = { least: 8, most: 400 } as const;
const TAG_MAX = 40;

export function keepFacts(
  facts: readonly Fact[],
  most: number,
  ground: Ground,
  faultsOf: (text: string) => readonly GuardFault[],
): Kept<Fact> {
  const kept: Fact[] = [];
  const dropped: string[] = [];
  for (const { text, quote } of facts.slice(0, most)) {
    const said = squash(foldName(quote));
    const isQuoted = quote.length <= QUOTE.most && said.length >= QUOTE.least;
    const faults = text.length > FACT_MAX ? [{ what: 'it is too long' }] : faultsOf(text);
    const [fault] = faults;
    if (!isQuoted || !ground.squashed.includes(said)) {
      dropped.push('a fact whose quotation is not in the text');
    } else if (fault !== undefined) dropped.push(`a fact: ${fault.what}`);
    else kept.push({ text: text.trim(), quote: quote.trim() });
  }
  return { kept, dropped };
}

export function keepTags(tags: readonly string[], most: number, ground: Ground): Kept<string> {
  const seen = new Set<string>();
  const kept: string[] = [];
  const dropped: string[] = [];
  for (const tag of tags.slice(0, most)) {
    const folded = foldName(tag).trim();
    const stands = squash(folded).length >= 2 && ground.text.includes(folded);
    const isPlain = tag.length <= TAG_MAX && !/[<>{}[\]`\n/\\]|https?:/u.test(tag);
    if (!stands || !isPlain) dropped.push('a tag that the text does not name');
    else if (!seen.has(folded)) kept.push(tag.trim());
    seen.add(folded);
  }
  return { kept, dropped };
}
