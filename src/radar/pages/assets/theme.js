// Applies the reader's choice of colours and text size before the first paint. Without a choice
// the page follows the system.
try {
  for (const name of ['theme', 'size']) {
    const chosen = localStorage.getItem(`radar:${name}`);
    if (chosen !== null) document.documentElement.dataset[name] = chosen;
  }
} catch {
  // Storage is blocked: the page follows the system.
}
