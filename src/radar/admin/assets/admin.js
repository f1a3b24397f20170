// What makes the desk better where scripts run: the focus goes to what needs an eye, a form is sent
// once, reports are dragged out of a story, and what runs in the background is looked at again.

document.querySelector('[data-focus]')?.focus();

for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = '';
  });
}
// Back from the page that followed, a form may be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

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

const EVERY_MS = 5_000;
if (document.querySelector('[data-refresh]') !== null) {
  setInterval(async () => {
    const live = document.querySelector('[data-live]');
    if (document.hidden || live.contains(document.activeElement)) return;
    try {
      const answer = await fetch(location.href);
      if (!answer.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.querySelector('[data-live]');
      if (fresh !== null) live.replaceWith(fresh);
    } catch {
      // The next look may find it again.
    }
  }, EVERY_MS);
}
