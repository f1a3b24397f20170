// Writes the lead of a report: at most two of its first sentences that can stand alone. Summaries,
// digests and report entries all use this function, so all follow docs/editorial.md.
import rules from '../../../editorial/enrichment/sentences.json' with { type: 'json' };
import { plainText } from '../../kernel/text/text.ts';
import { openSentenceCleaner, type SentencePatterns } from './clean-sentence.ts';
import { findNames, hasEarlyName, isAction, isReport } from './event-sentence.ts';
import {
  removeOutlet,
  removeRepeatedHeading,
  removeTitle,
  separateHeadings,
} from './separate-headings.ts';
import { openSentenceSplitter } from './split-sentences.ts';
import { sentenceFaults } from './text-faults.ts';
import { openTokenizer, sharedShare, type Tokenizer } from './tokens.ts';

export type LeadRules = SentencePatterns & {
  readonly abbreviations: readonly string[];
  readonly dependents: readonly string[];
  readonly talk: readonly string[];
  readonly stopwords: readonly string[];
};

export type LeadInput = {
  readonly title: string;
  readonly text: string;
  /** Primary tag of the report's language. */
  readonly language: string;
  /** Tokens of the beginning of each report that another owner published about the event. */
  readonly others?: readonly ReadonlySet<string>[];
  /** True when the title is a caption or a page label: the first sentence need not repeat it. */
  readonly isCaption?: boolean;
};

export type LeadWriter = {
  /** Sentences in reading order: one or two, or none when no sentence stands alone. */
  readonly leadOf: (input: LeadInput) => readonly string[];
  readonly tokensOf: Tokenizer;
};

/** The lead opens with one of the first five sentences, because a report states its event there. */
const OPENING_SENTENCES = 5;
/** After a caption, up to three sentences are tried: the first may belong to the caption. */
const CAPTION_SENTENCES = 3;
const READ_CHARACTERS = 6_000;
/** The maximum number of sentences that are read. */
const READ_SENTENCES = 16;
/** Share of the title's words that the first sentence must have. */
const MIN_SHARED = 0.25;
/**
 * The minimum when other reports exist: the share of the title's words in the sentence, or of the
 * sentence's words in another report. `MIN_SHARED` is enough for a sentence with a day, a speaker
 * or an announcement.
 */
const MIN_SHARED_WITH_OTHERS = 0.35;
/** A sentence that shares only one name with the title is not about the title. */
const MIN_TOKENS = 2;
/** With this share of the title's words a sentence needs no name, because the title has one. */
const NAMED_SHARE = 0.5;
/** A second sentence that shares more than this with the first one repeats it. */
const MAX_SHARED_WITH_FIRST = 0.6;

/** A sentence that shares this much with the title repeats it. */
const REPEATED_SHARE = 0.85;

function openLeadWriter(patterns: LeadRules): LeadWriter {
  const split = openSentenceSplitter(patterns.abbreviations);
  const clean = openSentenceCleaner(patterns);
  const tokensOf = openTokenizer(patterns.stopwords);
  const dependents = patterns.dependents.map((source) => new RegExp(source, 'iu'));
  const talk = patterns.talk.map((source) => new RegExp(source, 'iu'));

  const isUsable = (text: string, language: string) =>
    sentenceFaults(text, language).every((fault) => fault === 'dependent') &&
    !talk.some((pattern) => pattern.test(text));
  const isDependent = (text: string, language: string) =>
    sentenceFaults(text, language).includes('dependent') ||
    dependents.some((pattern) => pattern.test(text));

  const leadOf = ({
    title,
    text,
    language,
    others = [],
    isCaption = false,
  }: LeadInput): readonly string[] => {
    const titleTokens = tokensOf(title);
    const beginning = text.slice(0, READ_CHARACTERS);
    const plainBeginning = separateHeadings(
      /[<&]/u.test(beginning) ? plainText(beginning) : beginning,
    );
    const reportText = `${title} ${plainBeginning}`;
    const firstSentences = split(plainBeginning).slice(0, READ_SENTENCES);
    const sentences = firstSentences.flatMap((sentence, sentenceIndex) => {
      const cleanText = removeOutlet(
        removeRepeatedHeading(removeTitle(sentence.text, title)),
        title,
      );
      const named = nameAccounts(cleanText, reportText);
      const cleaned = sentence.isComplete ? clean(named) : null;
      const isCut = cleaned === null || hasCutName(cleaned, reportText);
      return isCut ? [] : [{ text: trimDay(cleaned), place: sentenceIndex }];
    });
    const knownNames = `${title}\n${findNames(plainBeginning)}`;
    const isRelated = (tokens: ReadonlySet<string>, isSure: boolean) => {
      const shared = sharedShare(titleTokens, tokens);
      const nearest = Math.max(shared, ...others.map((other) => sharedShare(tokens, other)));
      return (
        nearest >= (isSure ? MIN_SHARED : MIN_SHARED_WITH_OTHERS) &&
        sharedCount(titleTokens, tokens) >= Math.min(MIN_TOKENS, titleTokens.size)
      );
    };
    const isOpening = (sentence: string) => {
      const tokens = tokensOf(sentence);
      return (
        !isDependent(sentence, language) &&
        (sharedShare(titleTokens, tokens) >= NAMED_SHARE || hasEarlyName(sentence, knownNames)) &&
        (isCaption
          ? isNews(sentence, knownNames)
          : isRelated(tokens, others.length === 0 || isReport(sentence))) &&
        sharedShare(tokens, titleTokens) < REPEATED_SHARE
      );
    };
    const first = sentences
      .slice(0, OPENING_SENTENCES)
      .filter((sentence) => isUsable(sentence.text, language))
      .slice(0, isCaption ? CAPTION_SENTENCES : 1)
      .find((sentence) => isOpening(sentence.text));
    if (first === undefined) return [];
    const next = sentences[sentences.indexOf(first) + 1];
    const canFollow =
      next !== undefined &&
      isUsable(next.text, language) &&
      (hasEarlyName(next.text, `${knownNames} ${first.text}`) ||
        (next.place === first.place + 1 && /\d|^(?:The|An?) /u.test(next.text)));
    if (!canFollow) return [first.text];
    const [firstTokens, nextTokens] = [tokensOf(first.text), tokensOf(next.text)];
    const isRepeated =
      Math.max(sharedShare(nextTokens, firstTokens), sharedShare(firstTokens, nextTokens)) >
      MAX_SHARED_WITH_FIRST;
    const isLong = first.text.length + next.text.length > maxLeadCharacters(first.text);
    // After an omitted sentence, a pronoun may refer to the omitted text.
    const isDetached =
      (next.place > first.place + 1 && isDependent(next.text, language)) || changesTopic(next.text);
    return isRepeated || isLong || isDetached ? [first.text] : [first.text, next.text];
  };
  return { leadOf, tokensOf };
}

function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((token) => b.has(token)).length;
}

const account =
  /(?<before>[（(]\s*)?(?<![\p{L}\p{N}.])@(?<name>[\p{L}\p{N}_]{2,})(?<after>\s*[)）])?/gu;
/** The shortest word that can be the name of an account. */
const NAME_CHARACTERS = 4;

/**
 * Replaces an account inside a sentence by its name: "joins @viktor_com" by "joins Viktor". Where
 * the text lacks this word, the account without its sign replaces it. An account in brackets
 * repeats the name before it. A sentence that begins with an account is part of a conversation.
 */
function nameAccounts(sentence: string, reportText: string): string {
  if (!sentence.includes('@') || /^\W*@/u.test(sentence)) return sentence;
  return sentence.replace(account, (match, ...groups) => {
    const { before, name, after } = groups.at(-1) as Record<string, string | undefined>;
    if (name === undefined || (before === undefined) !== (after === undefined)) return match;
    if (before !== undefined) return '';
    const words = reportText.match(/(?<![@\p{L}\p{N}_])\p{Lu}[\p{L}\p{N}]+/gu) ?? [];
    const folded = name.replaceAll('_', '').toLowerCase();
    const word = words.find(
      (word) => word.length >= NAME_CHARACTERS && folded.startsWith(word.toLowerCase()),
    );
    return word ?? (/[_\d]/u.test(name) ? match : name);
  });
}

/** Some pages lose the beginning of a name: "Mobile’s network" for "T-Mobile’s network". */
function hasCutName(sentence: string, reportText: string): boolean {
  const [name] = /^\p{Lu}[\p{L}\p{N}]+/u.exec(sentence) ?? [];
  if (name === undefined) return false;
  const marks = [...reportText.matchAll(new RegExp(`(?<mark>.?)\\b${name}(?!\\p{L})`, 'gu'))].map(
    ({ groups }) => groups?.mark,
  );
  return marks.includes('-') && marks.filter((mark) => mark !== '-').length <= 1;
}

/** Characters within which a sentence under a caption names its actor. */
const EARLY_NAME_CHARACTERS = 60;
/** True for a sentence under a caption that states a completed action of a named actor. */
const isNews = (text: string, title: string) =>
  isAction(text) &&
  !unexplained.test(text.slice(0, 2 * EARLY_NAME_CHARACTERS)) &&
  !vague.test(text) &&
  hasEarlyName(text.replace(/\b\p{Lu}\p{Ll}+day\b/gu, '').slice(0, EARLY_NAME_CHARACTERS), title);

/** "That goal" and "the request" have an explanation in an earlier sentence. */
const unexplained = new RegExp(
  '\\b(?:that|these|those) (?!is|are|was|were)\\p{Ll}+ (?:when|as|in|by)\\b|' +
    '\\bthe (?:two|three|request|deal|pact|move|proposal)\\b',
  'u',
);

/** "The Senate majority leader" and "The order" have a name in an earlier sentence. */
const vague = new RegExp(
  '^The (?:\\p{Lu}\\S* )?(?!(?:has|had|said|will|was|were)\\b|' +
    '(?:\\p{Ll}+ ){1,2}of (?:the )?\\p{Lu})\\p{Ll}{3}',
  'u',
);
/** A Chinese second sentence that turns to background or to another fact. */
const topicChange = new RegExp(
  '^(?:[这那][两二三四五六七八九十几\\d]|值得(?:注意|一提)|有记者|此外|另外|' +
    '另据|至于|根据|据|不过|然而|事实上|其实|而)',
  'u',
);
const opinionWord = /当然|[令让]人|可谓|堪称|无疑|毕竟|显然|相当|又当又/u;
const changesTopic = (sentence: string) => topicChange.test(sentence) || opinionWord.test(sentence);

/** Maximum length of the two sentences together. */
const maxLeadCharacters = (text: string) => (/\p{sc=Han}/u.test(text) ? 230 : 560);

const sayingVerb = '(?:said|announced|confirmed|reported|told \\p{L}+|\\p{L}{3,}ed)';
const sentenceContinues = '(?!起|开始|头条|资本|的|，|,|\\d)(?=[\\p{sc=Han}A-Z])';
const partOfDay = '(?:上午|下午|晚间?|凌晨|早间?|早上|晚上)?';

const innerDay = new RegExp(
  [
    `(?<![截至到于在从自前])[今昨][天日晚晨]${partOfDay}${sentenceContinues}`,
    `(?<=\\b${sayingVerb})(?: earlier)? (?:today|yesterday)\\b`,
    '(?<=[\\p{L})])\\s(?:(?:from|starting|as of) )?(?:earlier )?(?:today|yesterday)' +
      '(?=$| (?:\\p{Ll}+(?:ed|s)|said|began|won|took)\\b)',
  ].join('|'),
  'gu',
);

const openingDay = new RegExp(
  '^(?:(?:earlier )?(?:today|yesterday|this (?:morning|afternoon|evening))' +
    '(?:[,:]\\s*|\\s+(?=we\\b))|' +
    '(?:今起(?=[，,])|今天|今日|昨天|昨日|昨晚|今晚|今早|刚刚|近日|日前|近期|[今昨][天日])' +
    `${partOfDay}(?!起|开始|的)(?:消息(?=[，,]))?[，,:：]?\\s*)`,
  'iu',
);

/** Removes adverbs such as "today", which mean another day for each reader. */
export function trimDay(sentence: string): string {
  const dated = sentence.replace(
    /[今昨前][天日晚晨]\s*[（(](?<day>(?:\d{1,2} ?月 ?)?\d{1,2} ?日)[）)]/gu,
    '$<day>',
  );
  const remaining = dated
    .replace(openingDay, '')
    .replace(/“[^”]*”|[^“]+/gu, (part) =>
      part.startsWith('“') ? part : part.replace(innerDay, ''),
    )
    .replace(/；$/u, '。');
  // Without a change, a name such as “iPhone” keeps its small first letter.
  if (remaining === sentence) return sentence;
  return remaining.slice(0, 1).toUpperCase() + remaining.slice(1);
}

/** Sentences of one language as running text. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => {
    if (text === '') return next;
    const isChinese = /[。！？；」』）]$|\p{sc=Han}[^\p{L}]{0,4}”$/u.test(text);
    return isChinese ? text + next : `${text} ${next}`;
  }, '');
}

export const { leadOf, tokensOf } = openLeadWriter(rules);
