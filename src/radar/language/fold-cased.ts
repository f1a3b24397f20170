// Text in the form for the digest's patterns: compatibility forms, quotation marks and dashes in
// one form, no space between ideographs and figures. Capitals stay.

export function foldCased(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’]/gu, "'")
    .replace(/[‐‑‒–—―−]/gu, '-')
    .replace(/(?<=\p{sc=Han}) (?=[\p{N}\p{sc=Han}])|(?<=\p{N}) (?=\p{sc=Han})/gu, '');
}
