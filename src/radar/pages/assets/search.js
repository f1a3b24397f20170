// Results during typing: the same page is requested, and its results replace the shown ones. The
// form works without this script.

const PAUSE_MS = 140;
const form = document.querySelector('[data-search]');
const field = form?.querySelector('input');
const results = document.querySelector('[data-results]');
let requests = 0;
let timer = 0;

async function show() {
  requests += 1;
  const own = requests;
  const path = `/search?${new URLSearchParams(new FormData(form))}`;
  const response = await fetch(path, { headers: { accept: 'text/html' } });
  if (!response.ok || own !== requests) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.querySelector('[data-results]');
  if (fresh && own === requests) {
    results.replaceChildren(...fresh.childNodes);
    history.replaceState(null, '', path);
    document.title = page.title;
  }
}

function links() {
  return [...results.querySelectorAll('h3 a')];
}

if (form && field && results) {
  // On a touch screen the focus would open the keyboard over the page.
  if ('autofocus' in field.dataset && matchMedia('(hover: hover)').matches) field.focus();
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => show().catch(() => {}), PAUSE_MS);
  };
  form.addEventListener('input', later);
  form.addEventListener('change', later);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    show().catch(() => form.submit());
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
