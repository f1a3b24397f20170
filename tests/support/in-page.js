// What tests ask of a page from inside it. It runs in the browser before anything else does, and so
// is no part of the TypeScript program.
globalThis.inPage = (() => {
  let shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) shifted += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  return {
    /** How much moved by itself, and by how many pixels the page is wider than its window. */
    seen: async () => {
      await document.fonts.ready;
      const { scrollWidth, clientWidth } = document.documentElement;
      const overflow = Math.max(0, scrollWidth - clientWidth);
      return { shifted: Math.round(shifted * 1000) / 1000, overflow };
    },
    /** Of axe, which must have been loaded. */
    violations: async () => {
      const found = await globalThis.axe.run(document, { resultTypes: ['violations'] });
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    /** When an element has come to say that, for however short a time. */
    says: (selector, words) =>
      new Promise((resolve) => {
        const element = document.querySelector(selector);
        const look = () => element.textContent === words && resolve();
        new MutationObserver(look).observe(element, { childList: true, characterData: true });
      }),
    focused: () => document.activeElement?.textContent?.trim() ?? '',
    /** As if the newest entry had come since. */
    forgetNewest: () => {
      const entries = [...document.querySelectorAll('[data-at]')];
      const newest = Math.max(...entries.map((entry) => Number(entry.dataset.at)));
      localStorage.setItem('radar:newest', String(newest - 1));
      sessionStorage.clear();
    },
    /** Elements of that name or of a kind that our pages do not have, and whether anything ran. */
    foreign: (name) => ({
      ran: 'wasHit' in globalThis,
      theirs: document.querySelectorAll(`${name}, img, iframe, [onload], [onerror]`).length,
    }),
  };
})();
