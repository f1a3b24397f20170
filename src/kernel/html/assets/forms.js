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

const REFRESH_MS = 5_000;
if (document.querySelector('[data-refresh]') !== null) {
  setInterval(async () => {
    const liveRegion = document.querySelector('[data-live]');
    if (document.hidden || liveRegion.contains(document.activeElement)) return;
    try {
      const response = await fetch(location.href);
      if (!response.ok || response.redirected) return;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const newRegion = page.querySelector('[data-live]');
      if (newRegion !== null) liveRegion.replaceWith(newRegion);
    } catch {
      // The next poll retries.
    }
  }, REFRESH_MS);
}
