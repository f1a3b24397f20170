// Parses HTML into a document, like a browser without scripts. parse5 repairs the markup by the
// HTML standard. linkedom provides the DOM for extractors and selectors.
import { parseHTML } from 'linkedom';
import { parse, serialize } from 'parse5';
import type { PageDocument } from './dom.ts';

export type ParsedPage = {
  readonly document: PageDocument;
  /** Base of relative addresses: `<base href>`, otherwise the page's own address. */
  readonly baseUrl: string;
};

/** The extractors are recursive. Deeper nesting comes from an attack or a broken generator. */
const DEPTH_MAX = 400;

/** `url` is the page's address after redirects. Never throws. */
export function parsePage(html: string, url: string): ParsedPage {
  const document = openDocument(repairHtml(html));
  const base = document.querySelector('base[href]')?.getAttribute('href') ?? null;
  return { document, baseUrl: (base === null ? null : absoluteUrl(base, url)) ?? url };
}

/** Returns well-formed HTML with html, head and body, like a browser's result for `html`. */
export function repairHtml(html: string): string {
  const tree = parse(html.replaceAll('\u0000', ''), { scriptingEnabled: false });
  removeDeepElements(tree);
  return serialize(tree, { scriptingEnabled: false });
}

/** Parses repaired HTML. Extractors modify their document, so each one opens its own. */
export function openDocument(repaired: string): PageDocument {
  return parseHTML(repaired).document as unknown as PageDocument;
}

/** `href` as an absolute http or https address; null otherwise. */
export function absoluteUrl(href: string, base: string): string | null {
  const url = URL.parse(href.trim(), URL.parse(base) === null ? undefined : base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

type TreeNode = { childNodes?: TreeNode[]; nodeName: string };

/** Removes elements beyond the maximum depth, without recursion. */
function removeDeepElements(root: TreeNode): void {
  const stack: { readonly node: TreeNode; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let nextNode = stack.pop(); nextNode !== undefined; nextNode = stack.pop()) {
    if (nextNode.node.childNodes === undefined) continue;
    if (nextNode.depth >= DEPTH_MAX) {
      nextNode.node.childNodes = nextNode.node.childNodes.filter(
        (child) => child.nodeName === '#text',
      );
    }
    for (const node of nextNode.node.childNodes) stack.push({ node, depth: nextNode.depth + 1 });
  }
}
