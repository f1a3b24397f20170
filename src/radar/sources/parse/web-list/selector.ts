// Validates CSS selectors with the page parser's own engine, before any page is parsed.
import { parseHTML } from 'linkedom';
import type { SettingProblem } from '../../settings-messages.ts';

/** The problem of an invalid selector; null for a valid one. */
export function selectorProblem(selector: string): SettingProblem | null {
  const problem = selectorErrorOf(selector);
  if (problem === null) return null;
  const quotedSelector = JSON.stringify(selector);
  return {
    en: `is not a CSS selector: ${quotedSelector} (${problem})`,
    'zh-CN': `不是 CSS 选择器：${quotedSelector}`,
  };
}

/** The parser's error message for `selector`; null when it is valid. */
export function selectorErrorOf(selector: string): string | null {
  try {
    // Matching against a page with one element compiles the selector and takes microseconds.
    parseHTML('<html><body><p></p></body></html>').document.querySelector(selector);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
