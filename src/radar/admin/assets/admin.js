// Reports can be dragged out of a story. Without scripts they have checkboxes.

const split = document.querySelector('form.split');
if (split !== null) {
  const stay = split.querySelector('[data-stay]');
  const leave = split.querySelector('[data-leave]');
  const gone = leave.querySelector('ol');
  let held = null;
  const put = (row, isLeaving) => {
    row.querySelector('input').checked = isLeaving;
    (isLeaving ? gone : stay).append(row);
  };
  for (const row of [...stay.children]) {
    row.draggable = true;
    row.addEventListener('dragstart', (event) => {
      held = row;
      row.classList.add('is-held');
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', row.querySelector('a').textContent);
    });
    row.addEventListener('dragend', () => {
      held = null;
      row.classList.remove('is-held');
    });
    row.querySelector('input').addEventListener('change', ({ target }) => put(row, target.checked));
    if (row.querySelector('input').checked) put(row, true);
  }
  for (const [zone, isLeaving] of [
    [leave, true],
    [stay, false],
  ]) {
    zone.addEventListener('dragover', (event) => {
      if (held === null) return;
      event.preventDefault();
      zone.classList.add('is-over');
    });
    zone.addEventListener('dragleave', () => zone.classList.remove('is-over'));
    zone.addEventListener('drop', (event) => {
      event.preventDefault();
      zone.classList.remove('is-over');
      if (held !== null) put(held, isLeaving);
    });
  }
}

// Presets the zone of the browser, unless another zone is selected.
const zone = document.querySelector('[data-browser-zone] select');
if (zone !== null && zone.selectedOptions[0]?.defaultSelected === true) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if ([...zone.options].some(({ value }) => value === timeZone)) zone.value = timeZone;
}

// A chosen file fills the text field, decoded as the file declares.
const choice = document.querySelector('[data-file-into]');
if (choice !== null) {
  choice.classList.remove('for-scripts');
  const decode = (bytes) => {
    const head = new TextDecoder('latin1').decode(bytes.slice(0, 200));
    const [, encoding = 'utf-8'] = /encoding=["']([\w-]+)/.exec(head) ?? [];
    try {
      return new TextDecoder(encoding).decode(bytes);
    } catch {
      return new TextDecoder().decode(bytes);
    }
  };
  choice.querySelector('input').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    if (file === undefined) return;
    const field = target.form.elements[choice.dataset.fileInto];
    field.value = decode(await file.arrayBuffer());
    field.dispatchEvent(new Event('change'));
  });
}

// Lines are checked as they are pasted, and when the field is left.
const checks = document.querySelector('[data-checks]');
if (checks !== null) {
  const { form } = checks.closest('section').querySelector('button');
  const field = form.elements[checks.dataset.checks];
  let checked = checks.querySelector('table') === null ? '' : field.value;
  const check = async () => {
    if (field.value === checked) return;
    checked = field.value;
    checks.setAttribute('aria-busy', 'true');
    const body = new URLSearchParams(new FormData(form));
    body.set('do', 'check-sources');
    const response = await fetch(form.action, { method: 'POST', body });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    checks.removeAttribute('aria-busy');
    const fresh = page.querySelector('[data-checks]');
    if (fresh !== null && field.value === checked) checks.replaceChildren(...fresh.childNodes);
  };
  field.addEventListener('change', check);
  field.addEventListener('paste', () => setTimeout(check));
  check();
}
