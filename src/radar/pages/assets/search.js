// Results while one types: the same page is asked for, and its results are put in place. Without
// this script the form works as a form.

const PAUSE_MS = 140;
const form = document.querySelector('[data-search]');
const field = form?.querySelector('input');
const results = document.querySelector('[data-results]');
let asked = 0;
let waiting = 0;

async function show(text) {
  asked += 1;
  const mine = asked;
  const path = `/search?q=${encodeURIComponent(text)}`;
  const answer = await fetch(path, { headers: { accept: 'text/html' } });
  if (!answer.ok || mine !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.querySelector('[data-results]');
  if (fresh && mine === asked) {
    results.replaceChildren(...fresh.childNodes);
    history.replaceState(null, '', path);
    document.title = page.title;
  }
}

function links() {
  return [...results.querySelectorAll('h3 a')];
}

if (form && field && results) {
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => show(field.value).catch(() => {}), PAUSE_MS);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    show(field.value).catch(() => form.submit());
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const all = links();
    const at = all.indexOf(document.activeElement);
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
    if (at === -1 && document.activeElement !== field) return;
    event.preventDefault();
    (next < 0 ? field : all[Math.min(next, all.length - 1)])?.focus();
  });
}
