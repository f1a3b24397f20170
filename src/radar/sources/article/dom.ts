// The subset of the DOM that article extraction uses. linkedom's trees match it.

export type PageNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly childNodes: Iterable<PageNode>;
  readonly parentNode: PageNode | null;
  textContent: string | null;
};

export type PageElement = PageNode & {
  readonly tagName: string;
  readonly parentElement: PageElement | null;
  readonly children: Iterable<PageElement>;
  readonly id: string;
  readonly className: string;
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  hasAttribute(name: string): boolean;
  matches(selector: string): boolean;
  closest(selector: string): PageElement | null;
  contains(other: PageNode): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  remove(): void;
};

export type PageDocument = {
  readonly documentElement: PageElement;
  readonly body: PageElement;
  readonly head: PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
};

const elementNode = 1;
export const textNode = 3;

export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === elementNode;
}
