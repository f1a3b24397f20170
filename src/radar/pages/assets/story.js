// Sources of a sentence for fingers: a tap on it shows them as pointing does, another hides them,
// and so does Escape. Numbers and their links work without this.

for (const told of document.querySelectorAll('.told')) {
  for (const claim of told.querySelectorAll('.claim')) {
    // Focusable by tap, yet no further stop for the Tab key: its numbers are that already.
    claim.tabIndex = -1;
  }
  told.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') told.classList.add('is-hushed');
  });
  for (const kind of ['pointerover', 'focusin']) {
    told.addEventListener(kind, () => told.classList.remove('is-hushed'));
  }
}
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const told of document.querySelectorAll('.told:hover')) told.classList.add('is-hushed');
});
