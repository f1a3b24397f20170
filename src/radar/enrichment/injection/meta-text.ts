// Finds meta sentences, whose subject is the text itself: its summary, its heading, its editor.
// News rarely has such sentences, and instructions that no pattern matches almost always have them.
// The model and its guardrails do not receive meta sentences without relation to the title. The
// rule-based enricher still reads them.

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Removes meta sentences. `title` is the expected subject. */
export function removeMetaSentences(text: string, title: string): string {
  return text
    .split('\n')
    .map((line) =>
      [...segmenter.segment(line)]
        .map(({ segment }) => (isMetaSentence(segment, title) ? '' : segment))
        .join('')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');
}

/**
 * Removes paragraphs that are unrelated to the title. They share no word or pair of ideographs with
 * the title, and at most one with related paragraphs. Injected text is usually unrelated. When more
 * than half of the text is unrelated, all of it stays.
 */
export function removeUnrelatedParagraphs(text: string, title: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 3 || title.trim() === '') return text;
  const tokensByLine = lines.map(tokensOf);
  const relatedTokens = new Set(tokensOf(title));
  const isRelated = lines.map(() => false);
  // The first pass finds paragraphs related to the title. Two further passes add paragraphs that
  // share at least two tokens with the found ones.
  for (const minShared of [1, 2, 2]) {
    for (const [index, lineTokens] of tokensByLine.entries()) {
      if (isRelated[index]) continue;
      const shared = [...lineTokens].filter((token) => relatedTokens.has(token)).length;
      if (shared >= minShared) isRelated[index] = true;
    }
    for (const [index, lineTokens] of tokensByLine.entries()) {
      if (isRelated[index]) for (const token of lineTokens) relatedTokens.add(token);
    }
  }
  const relatedLines = lines.filter((_, index) => isRelated[index]);
  return relatedLines.join('').length * 2 >= lines.join('').length ? relatedLines.join('\n') : text;
}

function isMetaSentence(sentence: string, title: string): boolean {
  const count = countMetaWords(sentence);
  return count > 0 && (count > 2 || !hasSharedWords(sentence, title));
}

const metaWordPattern = new RegExp(
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

/** An office before a person's name: "Curator Helen Adeyemi hopes …" is not about the text. */
const personWithOffice =
  /\b(?:reviewer|editor|curator|moderator|administrator|operator)s?(?= \p{Lu}\p{Ll}+ \p{Lu})/giu;

/** Number of different meta words in a sentence. */
function countMetaWords(sentence: string): number {
  const lowerCaseText = sentence.replace(personWithOffice, '').toLowerCase();
  return new Set(lowerCaseText.match(metaWordPattern) ?? []).size;
}

/** True when a sentence shares a word or a pair of ideographs with a title. */
function hasSharedWords(sentence: string, title: string): boolean {
  const sentenceTokens = tokensOf(sentence.replace(metaWordPattern, ' '));
  const titleTokens = tokensOf(title);
  return [...sentenceTokens].some((token) => titleTokens.has(token));
}

function tokensOf(text: string): ReadonlySet<string> {
  const folded = text.normalize('NFKC').toLowerCase();
  const latinWords = folded.match(/[\p{Script=Latin}\p{N}]{3,}/gu) ?? [];
  const hanPairs = (folded.match(/\p{sc=Han}{2,}/gu) ?? []).flatMap((run) =>
    [...run].slice(1).map((char, index) => `${[...run][index]}${char}`),
  );
  return new Set([...latinWords.filter((word) => !commonWords.has(word)), ...hanPairs]);
}

const commonWords = new Set(
  (
    'the and for that this with from are was were will has have had its their his her not but ' +
    'all any can may must should would could into over more than about says said new out one two'
  ).split(' '),
);
