// What makes the console safer where scripts run: a secret that was shown is gone from the page
// before the page is left, so that going back does not show it again.

addEventListener('pagehide', () => {
  for (const shown of document.querySelectorAll('[data-secret]')) shown.remove();
});
