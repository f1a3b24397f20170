// Builds user messages about one item: the task, the language, and the item's text as quoted data.
// Equal items have equal messages, so a paid reply can be reused.
import { shanghaiDay } from '../../../kernel/time/calendar.ts';
import type { CategoryEntry } from '../editorial-files.ts';
import type { EnrichmentInput, SiteLanguage } from '../enricher.ts';
import { capTokens, quoteText } from './quote-text.ts';

export type ItemInput = EnrichmentInput & {
  readonly id: string;
  /** Publication time, otherwise discovery time; epoch milliseconds. */
  readonly at: number;
};

const languages = { en: 'English', 'zh-CN': 'Simplified Chinese (简体中文)' } as const;
const tiers = { T1: 'first party', T1_5: 'trusted professional', T2: 'other' } as const;

export function languageInstruction(language: SiteLanguage): string {
  return `Write in: ${languages[language]}`;
}

/** `head` holds lines before the quoted text. */
export function itemPrompt(
  item: ItemInput,
  textTokens: number,
  head: readonly string[] = [],
): string {
  const body = item.text.length >= item.summary.length ? item.text : item.summary;
  const lead = item.summary !== '' && !body.includes(item.summary) ? `${item.summary}\n` : '';
  return [
    ...head,
    `Kind of source: ${tiers[item.source.tier]}`,
    `Day: ${shanghaiDay(item.at).day}`,
    quoteText('title', capTokens(item.title, 200)),
    quoteText('text', capTokens(`${lead}${body}`, textTokens)),
    quoteText('publisher', capTokens(item.source.name, 60)),
  ].join('\n');
}

export function categoryLines(categories: readonly CategoryEntry[]): readonly string[] {
  return ['Categories:', ...categories.map(({ id, about }) => `- ${id}: ${about}`)];
}
