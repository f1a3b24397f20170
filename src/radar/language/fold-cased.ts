// Folds text for the digest's patterns: compatibility forms, quotation marks and dashes get one
// form, and spaces between ideographs and figures are removed. Capitals stay.

export function foldCased(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’]/gu, "'")
    .replace(/[‐‑‒–—―−]/gu, '-')
    .replace(/(?<=\p{sc=Han}) (?=[\p{N}\p{sc=Han}])|(?<=\p{N}) (?=\p{sc=Han})/gu, '');
}
