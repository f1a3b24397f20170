// Whether a text is a CSS selector that the page reader understands, said before any page is read.
import { parseHTML } from 'linkedom';
import type { Problem } from '../../settings-messages.ts';

/** Why `selector` is none; null when it is one. */
export function selectorProblem(selector: string): Problem | null {
  const why = selectorFault(selector);
  if (why === null) return null;
  const typed = JSON.stringify(selector);
  return {
    en: `is not a CSS selector: ${typed} (${why})`,
    'zh-CN': `不是 CSS 选择器：${typed}`,
  };
}

/** What is wrong with `selector`, as the parser says it; null when it can be used. */
export function selectorFault(selector: string): string | null {
  try {
    // Matching against a page with one element compiles the selector and costs microseconds.
    parseHTML('<html><body><p></p></body></html>').document.querySelector(selector);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
