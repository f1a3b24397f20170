// Defines functions that tests run inside a page. The browser loads this file before the page's
// scripts, so it is plain JavaScript.
globalThis.inPage = (() => {
  let shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) shifted += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  return {
    /** The layout shift score, and by how many pixels the page is wider than its window. */
    measureLayout: async () => {
      await document.fonts.ready;
      const { scrollWidth, clientWidth } = document.documentElement;
      const overflow = Math.max(0, scrollWidth - clientWidth);
      return { shifted: Math.round(shifted * 1000) / 1000, overflow };
    },
    /** Violations that axe finds; axe must have been loaded. */
    violations: async () => {
      const result = await globalThis.axe.run(document, { resultTypes: ['violations'] });
      return result.violations.flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    /** Resolves when an element shows this text, however briefly. */
    waitForText: (selector, words) =>
      new Promise((resolve) => {
        const element = document.querySelector(selector);
        const check = () => element.textContent === words && resolve();
        new MutationObserver(check).observe(element, { childList: true, characterData: true });
      }),
    /** Controls lower than 32 pixels. A link inside a sentence is no separate target. */
    lowTargets: () => {
      const lowElements = [];
      for (const element of document.querySelectorAll('a, button, input, select, summary')) {
        const target = element.closest('label') ?? element;
        const { height } = target.getBoundingClientRect();
        const isHidden = height === 0 || element.matches('.skip, .unseen, [type=hidden]');
        const isRunningText = [...element.parentNode.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1,
        );
        if (isHidden || height > 31.5 || (element.matches('a') && isRunningText)) continue;
        lowElements.push(`${element.outerHTML.slice(0, 90)}: ${height}`);
      }
      return lowElements;
    },
    focused: () => document.activeElement?.textContent?.trim() ?? '',
    /** Changes the stored state so that the page shows the newest entry as new. */
    forgetNewest: () => {
      const entries = [...document.querySelectorAll('[data-at]')];
      const newest = Math.max(...entries.map((entry) => Number(entry.dataset.at)));
      localStorage.setItem('radar:newest', String(newest - 1));
      sessionStorage.clear();
    },
    /**
     * Elements with this name or of a kind that our pages do not have, and whether a script ran.
     */
    findForeignElements: (name) => ({
      ran: 'wasHit' in globalThis,
      foreignElements: document.querySelectorAll(`${name}, img, iframe, [onload], [onerror]`)
        .length,
    }),
  };
})();
