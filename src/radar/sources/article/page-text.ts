// Extracts the text of an element: one line per block, white space collapsed, Unicode NFC, no
// control characters.
import { isElement, type PageElement, textNode } from './dom.ts';

const blockTags = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIALOG DIV DL DT FIELDSET ' +
    'FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HGROUP HR LI MAIN NAV OL P PRE ' +
    'SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL'
  ).split(' '),
);
/** Elements whose content is never part of a text. */
const silentTags = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE HEAD IFRAME OBJECT SVG MATH SELECT TEXTAREA BUTTON'.split(' '),
);

/** A run of text between two block boundaries. */
export type TextBlock = {
  readonly text: string;
  /** The block element around the text. */
  readonly element: PageElement;
  /** The innermost element at the start of the text. */
  readonly leaf: PageElement;
  /** Share of the text inside links to other pages, 0 to 1. */
  readonly linkShare: number;
};

/** The blocks of `root` in reading order, without empty ones. */
export function blocksOf(root: PageElement): TextBlock[] {
  const blocks: TextBlock[] = [];
  let currentText = '';
  let linkedLetters = 0;
  let blockStart = { element: root, leaf: root };
  const closeBlock = () => {
    const text = cleanLine(currentText);
    const letters = lettersIn(text);
    if (text !== '') {
      blocks.push({
        text,
        ...blockStart,
        linkShare: letters === 0 ? 0 : Math.min(1, linkedLetters / letters),
      });
    }
    currentText = '';
    linkedLetters = 0;
  };
  const walkNodes = (leaf: PageElement, element: PageElement, isLinked: boolean) => {
    for (const node of [...leaf.childNodes]) {
      if (node.nodeType === textNode) {
        if (currentText.trim() === '') blockStart = { element, leaf };
        currentText += node.textContent ?? '';
        if (isLinked) linkedLetters += lettersIn(node.textContent ?? '');
        continue;
      }
      const name = node.nodeName.toUpperCase();
      if (!isElement(node) || silentTags.has(name)) continue;
      if (name === 'BR') closeBlock();
      else if (blockTags.has(name)) {
        closeBlock();
        walkNodes(node, node, isLinked);
        closeBlock();
      } else if (name === 'TD' || name === 'TH') {
        currentText += ' ';
        walkNodes(node, node, isLinked);
      } else walkNodes(node, element, isLinked || linksElsewhere(node, name));
    }
  };
  walkNodes(root, root, root.closest('a[href]') !== null);
  closeBlock();
  return blocks;
}

function linksElsewhere(node: PageElement, name: string): boolean {
  return name === 'A' && node.getAttribute('href')?.startsWith('#') === false;
}

function lettersIn(text: string): number {
  return text.replace(/\s+/g, '').length;
}

/** True inside a heading element below `h1`. */
export function isHeading({ element }: TextBlock): boolean {
  return element.closest('h2, h3, h4, h5, h6') !== null;
}

/** The text of `root`, one line per block. */
export function textOf(root: PageElement): string {
  return blocksOf(root)
    .map((block) => block.text)
    .join('\n');
}

/** The text of `root` as one line, for titles and names. */
export function lineOf(root: PageElement): string {
  return cleanLine(textOf(root));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2060\ufeff\u00ad]/g;

/** White space collapsed to single spaces, without control and invisible characters, NFC. */
export function cleanLine(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(controlCharacters, '')
    .replace(/\s+/g, ' ')
    .trim();
}
