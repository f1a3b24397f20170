// Keyboard shortcuts of every page: rows of lists, the search field, the command palette and the
// sheet that lists the keys. Each key works on pages that have its target.

const linkOf = (row) => row?.querySelector('h2 a, h3 a, a');
const ROWS = '[data-row], main .entries > li, main .reports > li, main tbody > tr';
const rows = () => [...document.querySelectorAll(ROWS)].filter(linkOf);
const focusedRow = () => document.activeElement?.closest(ROWS) ?? null;

function move(step) {
  const all = rows();
  const at = all.indexOf(focusedRow());
  const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
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
let isGoing = false;

const actions = {
  j: () => move(1),
  k: () => move(-1),
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
  const place = isGoing ? places[event.key] : undefined;
  isGoing = event.key === 'g';
  if (place !== undefined) {
    location.href = place;
    return;
  }
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/** The palette lists the sections of the page; what is typed narrows them, Enter searches. */
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
