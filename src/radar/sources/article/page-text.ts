// The text of a piece of a page: one line for each block, white space collapsed, Unicode NFC,
// control characters gone.
import { isElement, type PageElement, type PageNode, textNode } from './dom.ts';

const blockTags = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIALOG DIV DL DT FIELDSET ' +
    'FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HGROUP HR LI MAIN NAV OL P PRE ' +
    'SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL'
  ).split(' '),
);
const silentTags = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE HEAD IFRAME OBJECT SVG MATH SELECT TEXTAREA BUTTON'.split(' '),
);

export function isBlock(node: PageNode): boolean {
  return blockTags.has(node.nodeName.toUpperCase());
}

/** A run of text between two block boundaries, with the innermost element that holds all of it. */
export type Block = { readonly text: string; readonly element: PageElement };

/** The blocks of `root` in reading order; empty ones left out. */
export function blocksOf(root: PageElement): Block[] {
  const blocks: Block[] = [];
  let run = '';
  let owner: PageElement = root;
  const close = () => {
    const text = tidyLine(run);
    if (text !== '') blocks.push({ text, element: owner });
    run = '';
  };
  const walk = (element: PageElement) => {
    for (const node of [...element.childNodes]) {
      if (node.nodeType === textNode) {
        if (run.trim() === '') owner = element;
        run += node.textContent ?? '';
        continue;
      }
      const name = node.nodeName.toUpperCase();
      if (!isElement(node) || silentTags.has(name)) continue;
      if (name === 'BR') close();
      else if (blockTags.has(name)) {
        close();
        walk(node);
        close();
      } else {
        if (name === 'TD' || name === 'TH') run += ' ';
        walk(node);
      }
    }
  };
  walk(root);
  close();
  return blocks;
}

/** The text of `root`, one line for each block. */
export function textOf(root: PageElement): string {
  return blocksOf(root)
    .map((b) => b.text)
    .join('\n');
}

/** The text of `root` as one line, for titles and names. */
export function lineOf(root: PageElement): string {
  return tidyLine(textOf(root));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2060\ufeff\u00ad]/g;

/** White space collapsed to single spaces, control and invisible characters gone, NFC. */
export function tidyLine(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(control, '').replace(/\s+/g, ' ').trim();
}
