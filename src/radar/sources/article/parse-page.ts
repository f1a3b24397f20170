// HTML text to a document, as a browser with scripts off would see it. parse5 repairs the markup by
// the standard's rules; linkedom then gives it the DOM that the extractors and selectors need.
import { parseHTML } from 'linkedom';
import { parse, serialize } from 'parse5';
import type { PageDocument } from './dom.ts';

export type Page = {
  readonly document: PageDocument;
  /** What relative addresses on the page start from: `<base href>`, else the page's own address. */
  readonly baseUrl: string;
};

/** Deeper nesting than this is an attack or a broken generator; extractors recurse. */
const maxDepth = 400;

/** `url` is where the page came from, after redirects. Never throws, whatever the text. */
export function parsePage(html: string, url: string): Page {
  const document = openDocument(repairHtml(html));
  const base = document.querySelector('base[href]')?.getAttribute('href') ?? null;
  return { document, baseUrl: (base === null ? null : absoluteUrl(base, url)) ?? url };
}

/** Well-formed HTML with html, head and body; what a browser would build of `html`. */
export function repairHtml(html: string): string {
  const tree = parse(html.replaceAll('\u0000', ''), { scriptingEnabled: false });
  flatten(tree, 0);
  return serialize(tree, { scriptingEnabled: false });
}

/** A document of already repaired HTML. Extractors consume theirs, so each opens its own. */
export function openDocument(repaired: string): PageDocument {
  return parseHTML(repaired).document as unknown as PageDocument;
}

/** `href` as an absolute http or https address; null when it is none. */
export function absoluteUrl(href: string, base: string): string | null {
  const url = URL.parse(href.trim(), URL.parse(base) === null ? undefined : base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

type TreeNode = { childNodes?: TreeNode[]; nodeName: string };

/** Cuts what lies deeper than anything real, without recursion of its own. */
function flatten(root: TreeNode, depth: number): void {
  const stack: { readonly node: TreeNode; readonly depth: number }[] = [{ node: root, depth }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.node.childNodes === undefined) continue;
    if (next.depth >= maxDepth) {
      next.node.childNodes = next.node.childNodes.filter((child) => child.nodeName === '#text');
    }
    for (const node of next.node.childNodes) stack.push({ node, depth: next.depth + 1 });
  }
}
