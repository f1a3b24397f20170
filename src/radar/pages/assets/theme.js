// Applies the reader's choice of colours before the first paint. By default the system decides.
try {
  const theme = localStorage.getItem('radar:theme');
  if (theme !== null) document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system decides.
}
