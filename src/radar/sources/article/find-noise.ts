// Finds parts of a page outside its article, by tag, role, name, visibility or repetition. An
// element with a large share of the page's prose is never noise, because class names are
// unreliable.
import type { PageDocument, PageElement } from './dom.ts';
import { kindByName } from './name-words.ts';
import { blocksOf, lineOf } from './page-text.ts';
import { wordCount } from './prose.ts';

/** Elements whose content is never part of a text. */
const silentTags =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, button, input, select, ' +
  'textarea, dialog, audio, video, link, meta, amp-ad, amp-sidebar, amp-social-share';
/** Elements that are noise by their tag. */
const hardTags = 'nav, footer, form, menu, figcaption';
/** Elements that are possible noise by their tag. */
const softTags = 'aside, address';
const noiseRoles =
  '[role="navigation"], [role="banner"], [role="contentinfo"], [role="complementary"], ' +
  '[role="search"], [role="dialog"], [role="alertdialog"], [role="menu"], [role="menubar"], ' +
  '[role="toolbar"], [role="alert"]';
const hiddenNames = '[hidden], [aria-hidden="true"], [style*="display"], [style*="visibility"]';

/** An element with a larger share of the page's prose is never noise. */
const PROSE_SHARE_MAX = 0.35;

export type Noise = {
  /** Noise by structure: teaser cards, comment threads, elements without text. */
  readonly structural: ReadonlySet<PageElement>;
  /** Noise by tag or class name. It stays when most of the agreed text has such a name. */
  readonly named: ReadonlySet<PageElement>;
  /** Elements that belong to the article only when the extractors agree. */
  readonly possible: ReadonlySet<PageElement>;
};

export function findNoise(document: PageDocument): Noise {
  const structural = new Set<PageElement>(document.querySelectorAll(silentTags));
  const named = new Set<PageElement>();
  const possible = new Set<PageElement>();
  const elementsWithNames = [...document.body.querySelectorAll('[class], [id], [data-component]')]
    .filter((element) => !/^(HTML|BODY|MAIN)$/.test(element.tagName))
    .map((element) => ({ element, kind: kindByName(element) }));
  // A comment thread can be longer than the article. It never holds the headline.
  for (const { element, kind } of elementsWithNames) {
    if (kind === 'comments' && !containsArticle(element)) structural.add(element);
  }
  const prose = proseWeights(document.body, structural);
  const total = Math.max(prose.get(document.body) ?? 0, 1);
  const addSmallElements = (elements: Iterable<PageElement>, into: Set<PageElement>) => {
    for (const element of elements) {
      if ((prose.get(element) ?? 0) / total <= PROSE_SHARE_MAX) into.add(element);
    }
  };
  addSmallElements(document.querySelectorAll(hardTags), named);
  addSmallElements(document.querySelectorAll(`${softTags}, ${noiseRoles}`), possible);
  addSmallElements([...document.querySelectorAll(hiddenNames)].filter(isHidden), possible);
  for (const { element, kind } of elementsWithNames) {
    if (kind === 'soft') addSmallElements([element], possible);
    else if (kind === 'caption' || kind === 'furniture') addSmallElements([element], named);
    else if (kind === 'paywall' && isPaywall(element)) addSmallElements([element], named);
  }
  for (const card of findTeaserCards(document.body, prose, total)) structural.add(card);
  return { structural, named, possible };
}

/** Removes noise in place. The remaining elements keep their order. */
export function stripNoise(document: PageDocument): void {
  const { structural, named, possible } = findNoise(document);
  for (const element of [...structural, ...named, ...possible]) element.remove();
}

const PAYWALL_WORDS_MAX = 60;
/** A subscription offer is short. A paragraph behind the paywall element is article text. */
function isPaywall(element: PageElement): boolean {
  return element.tagName !== 'P' && wordCount(lineOf(element)) < PAYWALL_WORDS_MAX;
}

function containsArticle(element: PageElement): boolean {
  return (
    /^H[1-6]$/.test(element.tagName) ||
    element.querySelector('h1, [itemprop="articleBody"], .entry-content') !== null
  );
}

function isHidden(element: PageElement): boolean {
  if (element.hasAttribute('hidden')) return true;
  if (element.getAttribute('aria-hidden') === 'true') return true;
  const style = element.getAttribute('style') ?? '';
  return /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

/** Words of prose per element. Prose is a block of 12 words or more, at most half in links. */
function proseWeights(
  body: PageElement,
  excluded: ReadonlySet<PageElement>,
): Map<PageElement, number> {
  const weights = new Map<PageElement, number>();
  for (const block of blocksOf(body)) {
    const words = wordCount(block.text);
    if (words < 12 || block.linkShare > 0.5) continue;
    const path: PageElement[] = [];
    for (
      let ancestor: PageElement | null = block.element;
      ancestor !== null;
      ancestor = ancestor.parentElement
    ) {
      path.push(ancestor);
    }
    if (path.some((element) => excluded.has(element))) continue;
    for (const ancestor of path) {
      weights.set(ancestor, (weights.get(ancestor) ?? 0) + words);
    }
  }
  return weights;
}

const CARD_WORDS_MAX = 60;
/** Words of prose outside of the cards. With fewer words, the cards can be the article. */
const OTHER_WORDS_MIN = 20;

/**
 * Three or more similar siblings, each a short text under a linked headline, are teasers of other
 * articles. They can outweigh a short article. They stay when the page has almost no other prose.
 */
function findTeaserCards(
  body: PageElement,
  prose: ReadonlyMap<PageElement, number>,
  total: number,
): PageElement[] {
  const cards: PageElement[] = [];
  for (const parent of body.querySelectorAll('div, section, main, aside, ul, ol')) {
    const groups = new Map<string, PageElement[]>();
    for (const child of parent.children) {
      const shape = `${child.tagName} ${child.getAttribute('class') ?? ''}`;
      const group = groups.get(shape);
      if (group === undefined) groups.set(shape, [child]);
      else group.push(child);
    }
    for (const group of groups.values()) {
      if (group.length < 3 || !group.every(isCard)) continue;
      const words = group.reduce((sum, card) => sum + (prose.get(card) ?? 0), 0);
      if (total - words >= OTHER_WORDS_MIN) cards.push(...group);
    }
  }
  return cards;
}

function isCard(element: PageElement): boolean {
  const heading = element.querySelector('h2, h3, h4, h5');
  if (heading === null) return false;
  const isLinked = heading.closest('a[href]') !== null || heading.querySelector('a[href]') !== null;
  return isLinked && wordCount(lineOf(element)) <= CARD_WORDS_MAX;
}
