// Takes out of a page what is not its article by tag, role, name or invisibility. Whatever holds a
// good part of the page's prose stays, whatever it is called: names lie, text does not.
import type { PageDocument, PageElement } from './dom.ts';
import { kindByName } from './name-words.ts';
import { blocksOf } from './page-text.ts';
import { linkShare, wordCount } from './prose.ts';

const silent =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, button, input, select, ' +
  'textarea, dialog, audio, video, link, meta';
const furnitureTags = 'nav, aside, footer, form, menu, figcaption, address';
const furnitureRoles =
  '[role="navigation"], [role="banner"], [role="contentinfo"], [role="complementary"], ' +
  '[role="search"], [role="dialog"], [role="alertdialog"], [role="menu"], [role="menubar"], ' +
  '[role="toolbar"], [role="alert"]';
const hidden = '[hidden], [aria-hidden="true"], [style*="display"], [style*="visibility"]';

/** An element with more of the page's prose than this is never furniture. */
const maxProseShare = 0.35;

/** Removes in place; the rest keeps its order. */
export function stripNoise(document: PageDocument): void {
  for (const element of [...document.querySelectorAll(silent)]) element.remove();
  const prose = proseWeights(document.body);
  const total = Math.max(prose.get(document.body) ?? 0, 1);
  const removeSmall = (element: PageElement, limit: number) => {
    if ((prose.get(element) ?? 0) / total <= limit) element.remove();
  };
  for (const element of [...document.querySelectorAll(hidden)]) {
    if (isHidden(element)) removeSmall(element, maxProseShare);
  }
  for (const element of [...document.querySelectorAll(`${furnitureTags}, ${furnitureRoles}`)]) {
    removeSmall(element, maxProseShare);
  }
  for (const element of [...document.body.querySelectorAll('[class], [id], [data-component]')]) {
    if (/^(HTML|BODY|MAIN)$/.test(element.tagName)) continue;
    const kind = kindByName(element);
    // A thread of comments may well be longer than the article; what holds the headline is none.
    if (kind === 'comments' && !holdsArticle(element)) element.remove();
    else if (kind !== 'plain') removeSmall(element, maxProseShare);
  }
}

function holdsArticle(element: PageElement): boolean {
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

/** Words of prose in every element that holds any: long, mostly unlinked blocks. */
function proseWeights(body: PageElement): Map<PageElement, number> {
  const weights = new Map<PageElement, number>();
  for (const block of blocksOf(body)) {
    const words = wordCount(block.text);
    if (words < 12 || linkShare(block.element) > 0.5) continue;
    for (let at: PageElement | null = block.element; at !== null; at = at.parentElement) {
      weights.set(at, (weights.get(at) ?? 0) + words);
    }
  }
  return weights;
}
