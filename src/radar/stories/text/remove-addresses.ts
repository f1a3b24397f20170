// Removes web addresses and handles from a text, because they are no words. A post that mentions
// an account, or two posts with one link shortener, would otherwise share words.

/** A handle follows no letter, so the address of a mailbox stays. */
const addresses = new RegExp(
  [
    String.raw`\b(?:https?://|www\.)[^\s\p{sc=Han}，。；、！？（）【】《》“”]+`,
    String.raw`(?<![\p{L}\p{N}.])@[\w.]*\w`,
  ].join('|'),
  'giu',
);

/** A space remains in place of each, so that the words around it stay apart. */
export const removeAddresses = (text: string): string =>
  /@|:\/\/|www\./iu.test(text) ? text.replace(addresses, ' ') : text;
