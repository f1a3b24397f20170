// Measures the length of a text, for limits that apply to English and Chinese.

/** The number of letters. An ideograph counts as two letters. */
export const textWidth = (text: string): number =>
  text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
