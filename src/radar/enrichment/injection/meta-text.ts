// Words about a text as a text: its summary, its heading, whoever edits or rates it. News seldom
// has them, and orders that no pattern foresaw can hardly do without. A sentence that has some,
// and little to do with the title, is not put to a model, nor may what a model writes rest on it.
// The built-in desk, which obeys nobody, reads it all the same.

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The text without such sentences. `title`: what it should be about. */
export function withoutStray(text: string, title: string): string {
  return text
    .split('\n')
    .map((line) =>
      [...segmenter.segment(line)]
        .map(({ segment }) => (isStray(segment, title) ? '' : segment))
        .join('')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');
}

/**
 * The text without paragraphs that have nothing to do with its title or its other paragraphs: no
 * word of some length, no pair of ideographs. What was planted stands apart; where half of a text
 * does, nothing is known, and all of it stays.
 */
export function withoutApart(text: string, title: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 3 || title.trim() === '') return text;
  const tokens = lines.map(tokensOf);
  const core = new Set(tokensOf(title));
  const isNear = lines.map(() => false);
  // What shares with the title, then what shares with that, twice as much.
  for (const least of [1, 2, 2]) {
    for (const [at, own] of tokens.entries()) {
      if (isNear[at]) continue;
      const shared = [...own].filter((token) => core.has(token)).length;
      if (shared >= least) isNear[at] = true;
    }
    for (const [at, own] of tokens.entries()) {
      if (isNear[at]) for (const token of own) core.add(token);
    }
  }
  const kept = lines.filter((_, at) => isNear[at]);
  return kept.join('').length * 2 >= lines.join('').length ? kept.join('\n') : text;
}

function isStray(sentence: string, title: string): boolean {
  const count = metaWords(sentence);
  return count > 0 && (count > 2 || !sharesWords(sentence, title));
}

const words = new RegExp(
  [
    String.raw`\b(?:summar(?:y|ies|i[sz]\w+)|titles?|head(?:ing|line)s?|abstracts?|synops[ei]s)\b`,
    String.raw`\b(?:this|the) (?:article|piece|item|story|page|post|paragraph|text|passage)\b`,
    String.raw`\b(?:instructions?|prompts?|guidance|administrators?|operators?|moderators?)\b`,
    String.raw`\b(?:reviewers?|editors?|curators?|graders?|evaluators?|evaluations?|ratings?)\b`,
    String.raw`\b(?:ai|machine|automated|screen) ?(?:tools?|readers?|systems?|engines?|models?)\b`,
    String.raw`\b(?:maximum|top|full|highest) (?:mark|score|rating|grade|points)s?\b`,
    String.raw`\b(?:following|single|exact|only) (?:sentence|line|words?|phrase|statement|news)\b`,
    String.raw`\b(?:lead with|weave in|treat .{0,20} as|must announce|worth telling|translate)\b`,
    String.raw`\b(?:what came before|above content|end of (?:the )?article|omits?)\b|\{\{|\}\}`,
    '摘要|总结|标题|题目|导语|简介|概述|正文|本文|本段|本条|该文|文章|全文|上文|下文',
    '以上内容|以下内容|作废|为准|口径|统一口径|评级|满分|打分|编辑|审核|运营|小编',
    '机器摘要|人工智能|大模型|语言模型|助手|爬虫|指令|提示词|系统提示',
  ].join('|'),
  'giu',
);

/** "Curator Helen Adeyemi hopes …" tells of somebody, not of a text. */
const office =
  /\b(?:reviewer|editor|curator|moderator|administrator|operator)s?(?= \p{Lu}\p{Ll}+ \p{Lu})/giu;

/** How many different ones a sentence has. */
function metaWords(sentence: string): number {
  const plain = sentence.replace(office, '').toLowerCase();
  return new Set(plain.match(words) ?? []).size;
}

/** Whether a sentence shares a word of some length, or a pair of ideographs, with a title. */
function sharesWords(sentence: string, title: string): boolean {
  const own = tokensOf(sentence.replace(words, ' '));
  const others = tokensOf(title);
  return [...own].some((token) => others.has(token));
}

function tokensOf(text: string): ReadonlySet<string> {
  const folded = text.normalize('NFKC').toLowerCase();
  const latin = folded.match(/[\p{Script=Latin}\p{N}]{3,}/gu) ?? [];
  const pairs = (folded.match(/\p{sc=Han}{2,}/gu) ?? []).flatMap((run) =>
    [...run].slice(1).map((char, at) => `${[...run][at]}${char}`),
  );
  return new Set([...latin.filter((word) => !common.has(word)), ...pairs]);
}

const common = new Set(
  (
    'the and for that this with from are was were will has have had its their his her not but ' +
    'all any can may must should would could into over more than about says said new out one two'
  ).split(' '),
);
