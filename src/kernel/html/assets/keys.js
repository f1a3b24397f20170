// Keyboard shortcuts of every page: rows of lists, the search field, the command palette and the
// sheet that lists the keys. Each key works on pages that have its target.

const linkOf = (row) => row?.querySelector('h2 a, h3 a, a');
const ROWS = '[data-row], main .entries > li, main .reports > li, main tbody > tr';
const rows = () => [...document.querySelectorAll(ROWS)].filter(linkOf);
const focusedRow = () => document.activeElement?.closest(ROWS) ?? null;

function moveFocus(step) {
  const allRows = rows();
  const index = allRows.indexOf(focusedRow());
  const next = allRows[Math.min(allRows.length - 1, Math.max(0, index + step))];
  const link = linkOf(next);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: 'center' });
}

function openDialog(id) {
  const dialog = document.getElementById(id);
  if (dialog && !dialog.open) dialog.showModal();
}

const sheet = document.getElementById('keys');
/** Addresses by the letter after `g`. */
const places = JSON.parse(sheet?.dataset.places ?? '{}');
let isPrefixPressed = false;

const actions = {
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  o: () => linkOf(focusedRow())?.click(),
  '/': () => {
    const field = document.querySelector('main input[type="search"]');
    if (field) field.focus();
    else if (places['/'] !== undefined) location.href = places['/'];
  },
  '?': () => openDialog('keys'),
};

function onKey(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
    event.preventDefault();
    return openPalette();
  }
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, dialog')) return;
  const place = isPrefixPressed ? places[event.key] : undefined;
  isPrefixPressed = event.key === 'g';
  if (place !== undefined) {
    location.href = place;
    return;
  }
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/** The palette lists the sections of the page. Typing filters the list, and Enter searches. */
function openPalette() {
  const palette = document.getElementById('palette');
  const list = palette?.querySelector('.palette-list');
  if (!palette || palette.open) return;
  const field = palette.querySelector('input');
  const links = document.querySelectorAll('.masthead nav a, .foot a');
  list.replaceChildren(
    ...[...links].map((link) => {
      const item = document.createElement('li');
      item.append(
        Object.assign(document.createElement('a'), {
          href: link.href,
          textContent: link.textContent.trim(),
        }),
      );
      return item;
    }),
  );
  field.value = '';
  field.oninput = () => {
    for (const item of list.children) {
      item.hidden = !item.textContent.toLowerCase().includes(field.value.trim().toLowerCase());
    }
  };
  // A palette without a search opens the first remaining section.
  palette.querySelector('form').onsubmit = (event) => {
    if (event.target.method !== 'dialog') return;
    event.preventDefault();
    list.querySelector('li:not([hidden]) a')?.click();
  };
  palette.showModal();
}

document.addEventListener('keydown', onKey);
for (const button of document.querySelectorAll('[data-open]')) {
  button.hidden = false;
  button.addEventListener('click', () => openDialog(button.dataset.open));
}
