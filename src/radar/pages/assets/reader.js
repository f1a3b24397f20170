// Makes the timeline better where scripts run: what is new since the last visit, and keys to move.
// The page is whole without it.

const KEY = 'radar:newest';
const timeline = document.querySelector('[data-timeline]');

function markNew(entries) {
  const before = Number(localStorage.getItem(KEY) ?? 0);
  const newest = Math.max(...entries.map((entry) => Number(entry.dataset.at)));
  if (before > 0) {
    for (const entry of entries) {
      if (Number(entry.dataset.at) > before) entry.classList.add('is-new');
    }
  }
  if (newest > before) localStorage.setItem(KEY, String(newest));
}

function moveWithKeys(entries) {
  let at = -1;
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select');
    if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === '/') {
      event.preventDefault();
      location.href = '/search';
    }
    if (event.key !== 'j' && event.key !== 'k') return;
    at = Math.min(entries.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)));
    const link = entries[at]?.querySelector('h3 a');
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'center' });
  });
}

if (timeline) {
  const entries = [...timeline.querySelectorAll('[data-at]')];
  if (entries.length > 0) {
    try {
      markNew(entries);
    } catch {
      // A browser that keeps nothing shows everything as it is.
    }
    moveWithKeys(entries);
  }
}
