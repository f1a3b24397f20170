// Shows the sources of a sentence on touch screens: a tap shows them, another tap or Escape hides
// them. Adds the buttons that share a page. Numbers and links work without this script.

const COPIED_MS = 2_000;

for (const digest of document.querySelectorAll('.digest')) {
  for (const claim of digest.querySelectorAll('.claim')) {
    // A tap can focus the sentence. The Tab key skips it and stops at its numbers.
    claim.tabIndex = -1;
  }
  for (const kind of ['pointerover', 'focusin']) {
    digest.addEventListener(kind, () => digest.classList.remove('is-closed'));
  }
}
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const digest of document.querySelectorAll('.digest')) {
    if (digest.matches(':hover, :focus-within')) digest.classList.add('is-closed');
  }
});

for (const place of document.querySelectorAll('[data-share]')) {
  const { share, link, copied, url, cite, citation } = place.dataset;
  const addButton = (text, action) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = 'link';
    element.textContent = text;
    element.addEventListener('click', () => action(element).catch(() => {}));
    place.append(element);
  };
  if (navigator.share) addButton(share, () => navigator.share({ title: document.title, url }));
  const addCopyButton = (name, text) =>
    addButton(name, async (element) => {
      await navigator.clipboard.writeText(text);
      element.textContent = copied;
      setTimeout(() => {
        element.textContent = name;
      }, COPIED_MS);
    });
  addCopyButton(link, url);
  addCopyButton(cite, citation);
}
