// Completes the form of a sentence: articles, capitals, full stops, and the spaces in Chinese text.

const han = '\\p{Script=Han}';
const betweenHan = new RegExp(
  `(?<=[${han}，。、：；！？“”《》]) +(?=[${han}，。、：；！？“”《》])`,
  'gu',
);
const beforeMark = / +(?=[，。、：；！？”》])/gu;
const hanThenLatin = new RegExp(`(${han})([A-Za-z0-9$])`, 'gu');
const latinThenHan = new RegExp(`([A-Za-z0-9%])(${han})`, 'gu');
const spaceBesideHan = new RegExp(
  `(?<=${han}) +(?=[A-Za-z0-9])|(?<=[A-Za-z0-9%]) +(?=${han})`,
  'gu',
);

export function finishEnglish(text: string, isCasual: boolean): string {
  const joinedText = text
    .replace(/ {2,}/g, ' ')
    .replace(/ +([,.;:?!])/g, '$1')
    .replace(/\.{2,}/g, (dots) => (dots.length === 3 ? dots : '.'))
    .replace(/\b([Aa]) (?=[aeiouAEIOU])(?!(?:uni|use|Uni|Use|one\b|eu))/g, '$1n ')
    .trim();
  return isCasual
    ? joinedText
    : joinedText.replace(/^(["“]?)([a-z])/, (_, quote, letter) => quote + letter.toUpperCase());
}

export function finishChinese(text: string, isSpaced: boolean): string {
  const withoutSpaces = text
    .replace(spaceBesideHan, '')
    .replace(betweenHan, '')
    .replace(beforeMark, '')
    .replace(/。{2,}/g, '。')
    .trim();
  if (!isSpaced) return withoutSpaces;
  return withoutSpaces.replace(hanThenLatin, '$1 $2').replace(latinThenHan, '$1 $2');
}
