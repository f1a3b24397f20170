// Counts the clicks of a person in a tab, over all pages that it opens. Typed text and keys are no
// clicks; a click that a script makes is none either.
import type { Tab } from './browser.ts';

/** Call before the first page. The result is the number of clicks since the last reading. */
export async function countClicks(tab: Tab): Promise<() => number> {
  let clicks = 0;
  await tab.exposeBinding('countClick', () => {
    clicks += 1;
  });
  const script = "addEventListener('pointerdown', () => globalThis.countClick(), true)";
  await tab.addInitScript({ content: script });
  return () => {
    const since = clicks;
    clicks = 0;
    return since;
  };
}
