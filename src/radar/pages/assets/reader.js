// Enhances every reader page: what is new since the last visit, new items, saved stories, and the
// choices of language, colours and text size. Pages work without it.

const NEWEST_KEY = 'radar:newest';
const SINCE_KEY = 'radar:since';
const SAVED_KEY = 'radar:saved';
const YEAR_SECONDS = 31_536_000;
const POLL_MS = 60_000;
const FIRST_POLL_MS = 5_000;
const timeline = document.querySelector('[data-timeline]');

function attempt(action) {
  try {
    action();
  } catch {
    // Without storage, the page stays as the server made it.
  }
}

/** The time of the newest item at the last visit. The first call in a visit stores the time. */
function loadLastVisit() {
  const storedTime = sessionStorage.getItem(SINCE_KEY);
  if (storedTime !== null) return Number(storedTime);
  const newestBefore = localStorage.getItem(NEWEST_KEY) ?? '0';
  sessionStorage.setItem(SINCE_KEY, newestBefore);
  return Number(newestBefore);
}

function markNew(entries) {
  const lastVisitAt = loadLastVisit();
  const newest = Math.max(...entries.map((entry) => Number(entry.dataset.at)));
  if (newest > Number(localStorage.getItem(NEWEST_KEY) ?? 0)) {
    localStorage.setItem(NEWEST_KEY, String(newest));
  }
  const newEntries = entries.filter((entry) => Number(entry.dataset.at) > lastVisitAt);
  const line = document.querySelector('[data-since]');
  if (lastVisitAt === 0 || newEntries.length === 0) return;
  for (const entry of newEntries) entry.classList.add('is-new');
  // When every item of the page is new, older pages can have new items as well.
  const isAll =
    newEntries.length === entries.length && document.querySelector('[rel="next"]') !== null;
  if (line)
    line.textContent = line.dataset.since.replace('#', `${newEntries.length}${isAll ? '+' : ''}`);
}

/** Reloads the page: the browser would show its cached copy for up to a minute. */
function onNewClick(event) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.scrollRestoration = 'manual';
  location.reload();
}

/** Shows "3 new" when items have appeared since the page was made. Most responses are a 304. */
function watchNew() {
  const line = document.querySelector('[data-fresh]');
  if (!line || location.search.includes('cursor=')) return;
  const query = new URLSearchParams(location.search);
  const mode = location.pathname === '/all' ? 'all' : 'selected';
  const category = query.get('category');
  const path = `/api/v1/items?mode=${mode}&limit=30${category ? `&category=${category}` : ''}`;
  const chosen = document.querySelector('[data-language][aria-current]')?.dataset.language;
  const isShown = ({ language }) => !chosen || chosen === 'all' || language.startsWith(chosen);
  let knownIds = null;
  const poll = async () => {
    if (document.hidden) return;
    const response = await fetch(path, { cache: 'no-cache' });
    if (!response.ok) return;
    const { items } = await response.json();
    const ids = items.filter(isShown).map(({ id }) => id);
    if (knownIds === null) knownIds = new Set(ids);
    const count = ids.filter((id) => !knownIds.has(id)).length;
    if (count === 0) return;
    const link = document.createElement('a');
    link.href = location.href;
    link.className = 'link';
    link.textContent = line.dataset.fresh.replace('#', String(count));
    link.addEventListener('click', onNewClick);
    line.replaceChildren(link);
  };
  // The first poll starts later, so that it does not delay the page.
  setTimeout(() => poll().catch(() => {}), FIRST_POLL_MS);
  setInterval(() => poll().catch(() => {}), POLL_MS);
}

function rememberLanguage() {
  for (const link of document.querySelectorAll('a[data-language]')) {
    link.addEventListener('click', () => {
      const { language } = link.dataset;
      const age = language === 'all' ? 0 : YEAR_SECONDS;
      // The server reads this cookie, which contains only the choice.
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere.
      document.cookie = `language=${language}; path=/; max-age=${age}; samesite=lax`;
    });
  }
}

function readSaved() {
  const saved = JSON.parse(localStorage.getItem(SAVED_KEY) ?? '[]');
  return Array.isArray(saved) ? saved : [];
}

function toggleSaved(row) {
  const isPage = 'page' in row.dataset;
  const heading = isPage ? row.querySelector('h1') : linkOf(row);
  const href = isPage ? location.pathname : heading.pathname;
  const saved = readSaved();
  const others = saved.filter((entry) => entry.href !== href);
  const isSaved = others.length < saved.length;
  const title = heading.textContent.trim();
  localStorage.setItem(SAVED_KEY, JSON.stringify(isSaved ? others : [{ href, title }, ...others]));
  row.classList.toggle('is-saved', !isSaved);
}

function showSaved() {
  const list = document.querySelector('[data-saved]');
  if (!list) return;
  const saved = readSaved().filter(({ href }) => /^\/(stories|items)\//.test(href));
  document.querySelector('[data-saved-empty]').hidden = saved.length > 0;
  list.replaceChildren(
    ...saved.map(({ href, title }) => {
      const item = document.createElement('li');
      item.className = 'entry wide is-saved';
      item.dataset.row = '';
      const heading = document.createElement('h2');
      const link = document.createElement('a');
      link.href = href;
      link.textContent = title;
      heading.append(link);
      item.append(heading);
      return item;
    }),
  );
}

/** Adds a save button, for readers without a keyboard. */
function addSaveButton() {
  const page = document.querySelector('[data-page]');
  const place = page?.querySelector('[data-save]');
  if (!place) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  const show = () => {
    const isSaved = page.classList.contains('is-saved');
    button.textContent = isSaved ? place.dataset.savedWord : place.dataset.save;
    button.setAttribute('aria-pressed', String(isSaved));
  };
  show();
  new MutationObserver(show).observe(page, { attributeFilter: ['class'] });
  button.addEventListener('click', () => attempt(() => toggleSaved(page)));
  place.append(button);
}

const linkOf = (row) => row?.querySelector('h2 a, h3 a, a');

function onSaveKey(event) {
  if (event.key !== 's' || event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, dialog')) return;
  const focused = document.activeElement?.closest('[data-row]');
  const row = focused ?? document.querySelector('[data-page]');
  if (row) attempt(() => toggleSaved(row));
}

/** Adds the buttons of a stored choice, such as the colours. The first value is the default. */
function addChoiceButtons(place) {
  const { choice, label, values, names } = place.dataset;
  const title = document.createElement('span');
  title.textContent = label;
  const [defaultValue, ...otherValues] = values.split(' ');
  const buttons = [defaultValue, ...otherValues].map((value, index) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link';
    button.textContent = names.split(',')[index];
    const show = () => {
      const current = document.documentElement.dataset[choice] ?? defaultValue;
      button.setAttribute('aria-pressed', String(current === value));
    };
    show();
    button.addEventListener('click', () => {
      if (value === defaultValue) delete document.documentElement.dataset[choice];
      else document.documentElement.dataset[choice] = value;
      attempt(() =>
        value === defaultValue
          ? localStorage.removeItem(`radar:${choice}`)
          : localStorage.setItem(`radar:${choice}`, value),
      );
      place.dispatchEvent(new Event('choicechange'));
    });
    place.addEventListener('choicechange', show);
    return button;
  });
  place.replaceChildren(title, ...buttons);
}

const entries = timeline ? [...timeline.querySelectorAll('[data-at]')] : [];
if (entries.length > 0) attempt(() => markNew(entries));
attempt(showSaved);
attempt(() => {
  const saved = new Set(readSaved().map(({ href }) => href));
  for (const row of document.querySelectorAll('[data-row]')) {
    if (saved.has(linkOf(row)?.pathname)) row.classList.add('is-saved');
  }
  if (saved.has(location.pathname)) {
    document.querySelector('[data-page]')?.classList.add('is-saved');
  }
});
attempt(addSaveButton);
watchNew();
rememberLanguage();
for (const place of document.querySelectorAll('[data-choice]')) addChoiceButtons(place);
document.addEventListener('keydown', onSaveKey);
