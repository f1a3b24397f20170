// Counts the clicks of a person in a tab, over all pages that it opens. Typed text, pressed keys
// and clicks by scripts do not count.
import type { Tab } from './browser.ts';

/**
 * Call before the first page. The returned function reads the number of clicks since its last call.
 */
export async function countClicks(tab: Tab): Promise<() => number> {
  let clicks = 0;
  await tab.exposeBinding('countClick', () => {
    clicks += 1;
  });
  const script = "addEventListener('pointerdown', () => globalThis.countClick(), true)";
  await tab.addInitScript({ content: script });
  return () => {
    const clicksSinceLastCall = clicks;
    clicks = 0;
    return clicksSinceLastCall;
  };
}
