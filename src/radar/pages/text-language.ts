// The language of a text whose language nobody wrote down, for the reader's voice and fonts: by its
// script, which is all that tells Chinese from English here.
const han = /\p{Script=Han}/gu;
const latin = /\p{Script=Latin}+/gu;

/** BCP 47. A Han sign weighs as much as a word. */
export function textLanguage(text: string): 'zh' | 'en' {
  const signs = text.match(han)?.length ?? 0;
  const words = text.match(latin)?.length ?? 0;
  return signs > words ? 'zh' : 'en';
}
