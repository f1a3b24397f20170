// Extracts the text of a page on which every extractor fails. It picks the element with the most
// words in sentences, minus the words of blocks that are mostly links.
import type { PageDocument, PageElement } from './dom.ts';
import { stripNoise } from './find-noise.ts';
import { blocksOf } from './page-text.ts';
import { endsSentence, wordCount } from './prose.ts';

/** One line per block; "" when the page has no words. The document is modified. */
export function findDensestText(document: PageDocument): string {
  stripNoise(document);
  const scores = new Map<PageElement, number>();
  for (const block of blocksOf(document.body)) {
    const words = wordCount(block.text);
    const weight = endsSentence(block.text) ? words : words / 3;
    const score = block.linkShare > 0.5 ? -words : weight;
    // A parent collects its children's paragraphs. Each level up reduces the weight.
    let share = 1;
    for (
      let ancestor: PageElement | null = block.element;
      ancestor !== null && share > 0.2;
      ancestor = ancestor.parentElement
    ) {
      scores.set(ancestor, (scores.get(ancestor) ?? 0) + score * share);
      share *= 0.8;
    }
  }
  const best = [...scores].sort((a, b) => b[1] - a[1])[0];
  if (best === undefined || best[1] <= 0) return '';
  return blocksOf(best[0])
    .map((block) => block.text)
    .join('\n');
}
