// Whether a text is a CSS selector that the page reader understands, said before any page is read.
import { parseHTML } from 'linkedom';

/** Why `selector` is none, in a line; null when it is one. */
export function selectorProblem(selector: string): string | null {
  try {
    // Matching against a page with one element compiles the selector and costs microseconds.
    parseHTML('<html><body><p></p></body></html>').document.querySelector(selector);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `is not a CSS selector: ${JSON.stringify(selector)} (${reason})`;
  }
}
