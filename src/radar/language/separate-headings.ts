// Separates headings, captions and credits that a page's text joins to the next sentence without
// a space or a stop.

/** A title of fewer letters can be the subject of the sentence. */
const MIN_LETTERS = 10;
const MIN_REMAINING_CHARACTERS = 15;
/** Text after the title's words that belongs to the same sentence. */
const continuation = /^[\s\p{P}]*(?:[的之等后时，。、,.;:]|[’']s\b|一事|事件|\p{Ll})/u;

/** Maximum number of letters before the title: a label such as "Top news". */
const MAX_LABEL_LETTERS = 16;

/** Removes the report's title from a sentence when the page's text joins the two. */
export function removeTitle(sentence: string, title: string): string {
  const titleLetters = lettersOf(title);
  if (titleLetters.length < MIN_LETTERS) return sentence;
  const letters = [...sentence.matchAll(/[\p{L}\p{N}]/gu)];
  const folded = letters.map(([letter]) => letter.toLowerCase()).join('');
  const titleIndex = folded.indexOf(titleLetters);
  const lastLetter = letters[titleIndex + titleLetters.length - 1];
  if (titleIndex < 0 || titleIndex > MAX_LABEL_LETTERS || lastLetter === undefined) return sentence;
  if (/[,，]/u.test(sentence.slice(0, letters[titleIndex]?.index ?? 0))) return sentence;
  return dropBeginning(sentence, lastLetter.index + lastLetter[0].length);
}

/** Removes a heading that a Chinese sentence repeats: "X cuts jobs Monday, X cuts jobs in …". */
export function removeRepeatedHeading(sentence: string): string {
  if (!/\p{sc=Han}/u.test(sentence)) return sentence;
  let end = MIN_LETTERS;
  if (!sentence.includes(sentence.slice(0, end), end)) return sentence;
  while (end * 2 < sentence.length && sentence.includes(sentence.slice(0, end + 1), end + 1))
    end += 1;
  return dropBeginning(sentence, end);
}

const outletLabel = /^[\p{sc=Han}]{1,8}(?:新闻|客户端|日报|晚报|快讯|网|社|讯|消息)$/u;
const MIN_NAME_LETTERS = 4;

/** Removes an outlet's name from a Chinese sentence that goes on with the title's first words. */
export function removeOutlet(sentence: string, title: string): string {
  const name = /^[\p{sc=Han}]+/u.exec(title)?.[0].slice(0, MIN_NAME_LETTERS) ?? '';
  const at = name.length < MIN_NAME_LETTERS ? -1 : sentence.indexOf(name);
  return at > 0 && outletLabel.test(sentence.slice(0, at)) ? sentence.slice(at) : sentence;
}

/** The sentence from `end` on. Unchanged when the rest is short or continues the beginning. */
function dropBeginning(sentence: string, end: number): string {
  const remaining = sentence.slice(end);
  if (remaining.length < MIN_REMAINING_CHARACTERS || continuation.test(remaining)) return sentence;
  return remaining.replace(/^[\s\p{Pe}\p{Pf}'"!！|｜—–-]+/u, '');
}

const lettersOf = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? []).join('');

/** A heading before a Chinese sentence that opens with its date: "…降半旗5月30日，全国…". */
const datedOpening = new RegExp(
  '(?<=\\p{sc=Han}{5}|\\d[万亿元人例])(?<![于在至到从自截止据的年即为是和与及按照定间])' +
    '(?=(?:(?:当地|北京)时间)?\\d{1,2} ?月 ?\\d{1,2} ?日[^，。称说示布指出露认报讯]{0,6}，)',
  'gu',
);

/** A heading before "近日，". */
const recentOpening = /(?<=\p{sc=Han}{5})(?=(?:近日|日前)，)/gu;

/** "(7211.T)" and "(VZ.N)" after a company's name. */
const ticker = / ?\([\p{Lu}\d]{1,6}\.\p{Lu}{1,2}\)/gu;

/**
 * Puts a line break where a sentence follows a heading without a space. Such a sentence opens with
 * a Chinese date, a word after a full stop, or a word after an agency's name, which is removed. In
 * "MuslimsIsrael" both halves must also occur as words of their own. Tickers are removed.
 */
export function separateHeadings(text: string): string {
  const words = new Set(text.match(/[\p{L}\p{N}]+/gu));
  return text
    .replace(ticker, '')
    .replace(datedOpening, '\n')
    .replace(recentOpening, '\n')
    .replace(/(?<=\p{Ll}{3}\.)(?=U\.S\.|\d?\p{Lu}\p{Ll}+ |\d\p{Lu})/gu, '\n')
    .replace(/(?<!\p{L})(?:AP|AFP|EPA|REUTERS|Reuters)(?=\p{Lu}\p{Ll})/gu, '\n')
    .replace(
      /(?<![\p{L}\p{N}])(?<left>\p{L}+\p{Ll})(?<right>\p{Lu}\p{Ll}+)/gu,
      (match, ...groups) => {
        const { left, right } = groups.at(-1) as { left: string; right: string };
        return words.has(left) && words.has(right) ? `${left}\n${right}` : match;
      },
    );
}
