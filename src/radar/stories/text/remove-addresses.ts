// Removes web addresses and handles from a text, because they are not words. A post that mentions
// an account, or two posts with one link shortener, would otherwise share words.

/** An `@` after a letter does not begin a handle, so e-mail addresses stay. */
const addresses = new RegExp(
  [
    String.raw`\b(?:https?://|www\.)[^\s\p{sc=Han}，。；、！？（）【】《》“”]+`,
    String.raw`(?<![\p{L}\p{N}.])@[\w.]*\w`,
  ].join('|'),
  'giu',
);

/** Each is replaced by a space, so that the words around it stay apart. */
export const removeAddresses = (text: string): string =>
  /@|:\/\/|www\./iu.test(text) ? text.replace(addresses, ' ') : text;
