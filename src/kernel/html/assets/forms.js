// Enhancements of form pages: focus goes to errors, a form is submitted once, and pages with
// background work reload.

document.querySelector('[data-focus]')?.focus();

for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = '';
  });
}
// After navigating back, a form may be submitted again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

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
      // The next poll retries.
    }
  }, EVERY_MS);
}
