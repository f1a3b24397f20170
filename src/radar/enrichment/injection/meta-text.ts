// Finds text about the text itself: its summary, its heading, its editor. News rarely has it, and
// instructions that no pattern matches almost always do. Such sentences without relation to the
// title are hidden from the model and from its guardrails. The rule-based enricher still reads
// them.

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Removes these sentences. `title` is the expected subject. */
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
 * Removes paragraphs that share no long word and no pair of ideographs with the title or other
 * paragraphs. Injected text is usually unrelated. When half of the text is unrelated, all of it
 * stays.
 */
export function removeUnrelatedParagraphs(text: string, title: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 3 || title.trim() === '') return text;
  const tokens = lines.map(tokensOf);
  const core = new Set(tokensOf(title));
  const isNear = lines.map(() => false);
  // Starts from paragraphs related to the title, then adds paragraphs related to those with at
  // least two words.
  for (const minShared of [1, 2, 2]) {
    for (const [index, lineTokens] of tokens.entries()) {
      if (isNear[index]) continue;
      const shared = [...lineTokens].filter((token) => core.has(token)).length;
      if (shared >= minShared) isNear[index] = true;
    }
    for (const [index, lineTokens] of tokens.entries()) {
      if (isNear[index]) for (const token of lineTokens) core.add(token);
    }
  }
  const nearLines = lines.filter((_, index) => isNear[index]);
  return nearLines.join('').length * 2 >= lines.join('').length ? nearLines.join('\n') : text;
}

function isMetaSentence(sentence: string, title: string): boolean {
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

/** "Curator Helen Adeyemi hopes …" describes a person instead of a text. */
const office =
  /\b(?:reviewer|editor|curator|moderator|administrator|operator)s?(?= \p{Lu}\p{Ll}+ \p{Lu})/giu;

/** Number of different such words in a sentence. */
function metaWords(sentence: string): number {
  const lowered = sentence.replace(office, '').toLowerCase();
  return new Set(lowered.match(words) ?? []).size;
}

/** Whether a sentence shares a long word or a pair of ideographs with a title. */
function sharesWords(sentence: string, title: string): boolean {
  const sentenceTokens = tokensOf(sentence.replace(words, ' '));
  const titleTokens = tokensOf(title);
  return [...sentenceTokens].some((token) => titleTokens.has(token));
}

function tokensOf(text: string): ReadonlySet<string> {
  const folded = text.normalize('NFKC').toLowerCase();
  const latin = folded.match(/[\p{Script=Latin}\p{N}]{3,}/gu) ?? [];
  const pairs = (folded.match(/\p{sc=Han}{2,}/gu) ?? []).flatMap((run) =>
    [...run].slice(1).map((char, index) => `${[...run][index]}${char}`),
  );
  return new Set([...latin.filter((word) => !common.has(word)), ...pairs]);
}

const common = new Set(
  (
    'the and for that this with from are was were will has have had its their his her not but ' +
    'all any can may must should would could into over more than about says said new out one two'
  ).split(' '),
);
