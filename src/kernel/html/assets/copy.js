// A copy button beside each example. `data-copy` is its label and `data-copied` its label after a
// click. Without scripts the text can be selected.

const COPIED_MS = 2_000;

for (const example of document.querySelectorAll('[data-copy]')) {
  const text = example.querySelector('code')?.textContent ?? '';
  const { copy, copied } = example.dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet copy';
  button.textContent = copy;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without permission or a secure context, the text is selected for manual copying.
      getSelection()?.selectAllChildren(example.querySelector('code'));
      return;
    }
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = copy;
    }, COPIED_MS);
  });
  if (text !== '') example.append(button);
}
