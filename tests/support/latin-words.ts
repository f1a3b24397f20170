// Finds Latin letters in a Chinese page that are neither a name nor marked as another language. The
// page is read as a browser does, including spoken attributes.
import { parse } from 'parse5';

type Node = {
  readonly tagName?: string;
  readonly nodeName?: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly unknown[];
};

/** Attributes whose text is visible or read aloud. */
const spokenAttributes = new Set([
  'alt',
  'aria-label',
  'title',
  'placeholder',
  'data-since',
  'data-copied',
]);

/** Formats, protocols, and terms with one spelling in every language. */
const untranslatedTerms =
  /\b(?:MCP|Markdown|JSON(?: Feed)?|OpenAPI|RSS(?: 1\.0)?|OPML|Atom|https?|CSS|BCP 47|T1|T2)\b/gi;

/** Each text in which a word remains after all allowed words are removed. */
export function latinWords(page: string, allowed: RegExp): readonly string[] {
  const texts = new Set<string>();
  const addLatinWords = (text: string) => {
    const otherText = text.replaceAll(allowed, '').replaceAll(untranslatedTerms, '');
    if (/\p{Script=Latin}{2,}/u.test(otherText)) texts.add(text.replaceAll(/\s+/g, ' ').trim());
  };
  const visitNode = (node: Node, isForeign: boolean) => {
    const { tagName = '', nodeName = '', attrs = [], childNodes = [] } = node;
    if (['script', 'style', 'code', 'pre', 'textarea'].includes(tagName)) return;
    const lang = attrs.find(({ name }) => name === 'lang')?.value;
    const isOtherLanguage = lang === undefined ? isForeign : !lang.startsWith('zh');
    if (nodeName === '#text' && !isOtherLanguage) addLatinWords(node.value ?? '');
    for (const { name, value } of attrs)
      if (spokenAttributes.has(name) && !isOtherLanguage) addLatinWords(value);
    if (tagName === 'meta' && attrs.some(({ value }) => value === 'description')) {
      addLatinWords(attrs.find(({ name }) => name === 'content')?.value ?? '');
    }
    for (const child of childNodes) visitNode(child as Node, isOtherLanguage);
  };
  visitNode(parse(page) as Node, false);
  return [...texts];
}
