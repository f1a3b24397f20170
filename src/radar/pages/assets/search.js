// Shows results during typing: the script requests the same page and replaces the results. The form
// works without this script.

const PAUSE_MS = 140;
const form = document.querySelector('[data-search]');
const field = form?.querySelector('input');
const results = document.querySelector('[data-results]');
let requestCount = 0;
let timer = 0;

async function showResults() {
  requestCount += 1;
  const requestNumber = requestCount;
  const path = `/search?${new URLSearchParams(new FormData(form))}`;
  const response = await fetch(path, { headers: { accept: 'text/html' } });
  if (!response.ok || requestNumber !== requestCount) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const newResults = page.querySelector('[data-results]');
  if (newResults && requestNumber === requestCount) {
    results.replaceChildren(...newResults.childNodes);
    history.replaceState(null, '', path);
    document.title = page.title;
  }
}

function findLinks() {
  return [...results.querySelectorAll('h3 a')];
}

if (form && field && results) {
  // On a touch screen the focus would open the keyboard over the page.
  if ('autofocus' in field.dataset && matchMedia('(hover: hover)').matches) field.focus();
  const scheduleSearch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => showResults().catch(() => {}), PAUSE_MS);
  };
  form.addEventListener('input', scheduleSearch);
  form.addEventListener('change', scheduleSearch);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(timer);
    showResults().catch(() => form.submit());
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const links = findLinks();
    const index = links.indexOf(document.activeElement);
    const next = event.key === 'ArrowDown' ? index + 1 : index - 1;
    if (index === -1 && document.activeElement !== field) return;
    event.preventDefault();
    (next < 0 ? field : links[Math.min(next, links.length - 1)])?.focus();
  });
}
