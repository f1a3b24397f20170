// Lets operators drag reports out of a story. Without scripts, the checkboxes do the same.

const splitForm = document.querySelector('form.split');
if (splitForm !== null) {
  const stayingList = splitForm.querySelector('[data-stay]');
  const leavingZone = splitForm.querySelector('[data-leave]');
  const leavingList = leavingZone.querySelector('ol');
  let draggedRow = null;
  const moveRow = (row, isLeaving) => {
    row.querySelector('input').checked = isLeaving;
    (isLeaving ? leavingList : stayingList).append(row);
  };
  for (const row of [...stayingList.children]) {
    row.draggable = true;
    row.addEventListener('dragstart', (event) => {
      draggedRow = row;
      row.classList.add('is-held');
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', row.querySelector('a').textContent);
    });
    row.addEventListener('dragend', () => {
      draggedRow = null;
      row.classList.remove('is-held');
    });
    row
      .querySelector('input')
      .addEventListener('change', ({ target }) => moveRow(row, target.checked));
    if (row.querySelector('input').checked) moveRow(row, true);
  }
  for (const [zone, isLeaving] of [
    [leavingZone, true],
    [stayingList, false],
  ]) {
    zone.addEventListener('dragover', (event) => {
      if (draggedRow === null) return;
      event.preventDefault();
      zone.classList.add('is-over');
    });
    zone.addEventListener('dragleave', () => zone.classList.remove('is-over'));
    zone.addEventListener('drop', (event) => {
      event.preventDefault();
      zone.classList.remove('is-over');
      if (draggedRow !== null) moveRow(draggedRow, isLeaving);
    });
  }
}

// Selects the browser's time zone when the form is new.
const zoneSelect = document.querySelector('[data-browser-zone] select');
if (zoneSelect !== null && zoneSelect.selectedOptions[0]?.defaultSelected === true) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if ([...zoneSelect.options].some(({ value }) => value === timeZone)) zoneSelect.value = timeZone;
}

// Copies the text of a chosen file into the text field. The XML declaration gives the encoding.
const fileField = document.querySelector('[data-file-into]');
if (fileField !== null) {
  fileField.classList.remove('for-scripts');
  const decode = (bytes) => {
    const head = new TextDecoder('latin1').decode(bytes.slice(0, 200));
    const [, encoding = 'utf-8'] = /encoding=["']([\w-]+)/.exec(head) ?? [];
    try {
      return new TextDecoder(encoding).decode(bytes);
    } catch {
      return new TextDecoder().decode(bytes);
    }
  };
  fileField.querySelector('input').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    if (file === undefined) return;
    const field = target.form.elements[fileField.dataset.fileInto];
    field.value = decode(await file.arrayBuffer());
    field.dispatchEvent(new Event('change'));
  });
}

// Requests a check of the entered sources after a paste, and when the field loses the focus.
const checks = document.querySelector('[data-checks]');
if (checks !== null) {
  const { form } = checks.closest('section').querySelector('button');
  const field = form.elements[checks.dataset.checks];
  let checkedText = checks.querySelector('table') === null ? '' : field.value;
  const check = async () => {
    if (field.value === checkedText) return;
    checkedText = field.value;
    checks.setAttribute('aria-busy', 'true');
    const body = new URLSearchParams(new FormData(form));
    body.set('do', 'check-sources');
    const response = await fetch(form.action, { method: 'POST', body });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    checks.removeAttribute('aria-busy');
    const freshChecks = page.querySelector('[data-checks]');
    if (freshChecks === null || field.value !== checkedText) return;
    checks.replaceChildren(...freshChecks.childNodes);
  };
  field.addEventListener('change', check);
  field.addEventListener('paste', () => setTimeout(check));
  check();
}
