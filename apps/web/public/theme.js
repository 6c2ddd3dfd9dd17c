// Puts a chosen theme on the page before the first paint. The settings menu writes what is read here.
try {
  const { theme, contrast } = JSON.parse(localStorage.getItem('countersign.settings') ?? '{}');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (contrast === 'more' || contrast === 'normal') document.documentElement.dataset.contrast = contrast;
} catch {
  // Storage is closed or holds something else: the system's own choice stands.
}
