// Reduces titles and names to the form in which different sources are compared.

/** Letters and digits in lower case, without spaces and punctuation. */
export function normalizedLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
