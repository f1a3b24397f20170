// The length of a text in English or Chinese, for limits that apply to both.

/** The number of letters. An ideograph counts as two letters. */
export const textWidth = (text: string): number =>
  text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
