// Makes the timeline better where scripts run: what is new since the last visit, and keys to move.
// The page is whole without it.

const NEWEST = 'radar:newest';
const SINCE = 'radar:since';
const timeline = document.querySelector('[data-timeline]');

/** What the last visit had seen: the same for as long as this one lasts. */
function lastVisit() {
  const kept = sessionStorage.getItem(SINCE);
  if (kept !== null) return Number(kept);
  const before = localStorage.getItem(NEWEST) ?? '0';
  sessionStorage.setItem(SINCE, before);
  return Number(before);
}

function markNew(entries) {
  const before = lastVisit();
  const newest = Math.max(...entries.map((entry) => Number(entry.dataset.at)));
  if (newest > Number(localStorage.getItem(NEWEST) ?? 0)) {
    localStorage.setItem(NEWEST, String(newest));
  }
  const fresh = entries.filter((entry) => Number(entry.dataset.at) > before);
  const line = document.querySelector('[data-since]');
  if (before === 0 || fresh.length === 0) return;
  for (const entry of fresh) entry.classList.add('is-new');
  // When the whole page is new, older pages may be new as well.
  const isAll = fresh.length === entries.length && document.querySelector('[rel="next"]') !== null;
  if (line)
    line.textContent = line.dataset.since.replace('#', `${fresh.length}${isAll ? '+' : ''}`);
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
