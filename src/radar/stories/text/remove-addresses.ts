// Removes web addresses and handles from a text, because they are no words. A post that mentions
// an account, or two posts with one link shortener, would otherwise share words.

/** A handle follows no letter, so the address of a mailbox stays. */
const addresses =
  /\b(?:https?:\/\/|www\.)[^\s\p{sc=Han}，。；、！？（）【】《》“”]+|(?<![\p{L}\p{N}.])@[\w.]*\w/giu;

/** A space remains in place of each, so that the words around it stay apart. */
export const removeAddresses = (text: string): string => text.replace(addresses, ' ');
