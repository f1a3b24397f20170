// The lead of a report: at most two of its first sentences that can stand alone. Summaries, digests
// and report entries all use this function, so all follow docs/editorial.md.
import rules from '../../../editorial/enrichment/sentences.json' with { type: 'json' };
import { plainText } from '../../kernel/text/text.ts';
import { openSentenceCleaner, type SentencePatterns } from './clean-sentence.ts';
import { findNames, isAction, isReport, startsWithTitleName } from './event-sentence.ts';
import {
  removeOutlet,
  removeRepeatedHeading,
  removeTitle,
  separateHeadings,
} from './separate-headings.ts';
import { openSentenceSplitter, type Sentence } from './split-sentences.ts';
import { sentenceFaults } from './text-faults.ts';
import { openTokens, sharedShare, type Tokens } from './tokens.ts';

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
  /** Tokens that several reports of the same event have in their titles. */
  readonly topic?: ReadonlySet<string>;
  /** Tokens with which several other reports of the same event begin. */
  readonly echo?: ReadonlySet<string>;
  /** The title is a caption or furniture: the first sentence need not repeat its words. */
  readonly isCaption?: boolean;
};

export type LeadWriter = {
  /** Sentences in reading order: one or two, or none when no sentence stands alone. */
  readonly leadOf: (input: LeadInput) => readonly string[];
  readonly tokensOf: Tokens;
};

/** Only these first sentences can open a lead, because news stands at the beginning. */
const OPENING_SENTENCES = 5;
/** After a caption, the first sentence may be the rest of it. */
const CAPTION_SENTENCES = 3;
const READ_CHARACTERS = 6_000;
/** Share of the title's words that the first sentence must have, and that a later one must have. */
const MIN_SHARED = { first: 0.25, later: 0.35 } as const;
/** Fewer common tokens can be a shared name by chance. */
const MIN_TOPIC_TOKENS = { latin: 3, wide: 6 } as const;
/** A sentence that shares only one name with the title is not about the title. */
const MIN_TOKENS = 2;
/** Additional share of the title's words that moves a sentence before the previous one. */
const LATER = 0.12;
/**
 * Penalty for a later sentence without the name at the start of the title: it lacks the subject.
 */
const UNNAMED = 0.25;
/** Share of a sentence's tokens that others must have too, so that it is about their event. */
const MIN_ECHOED = 0.4;
const MIN_ECHOED_TOKENS = 8;
/** With this share of the title's words a sentence needs no name: the title has it. */
const NAMED = 0.5;
/** A sentence that shares this much with the title repeats it. */
const REPEATED = 0.85;

function openLeadWriter(patterns: LeadRules): LeadWriter {
  const split = openSentenceSplitter(patterns.abbreviations);
  const clean = openSentenceCleaner(patterns);
  const tokensOf = openTokens(patterns.stopwords);
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
    topic,
    echo = new Set(),
    isCaption = false,
  }: LeadInput): readonly string[] => {
    const titleTokens = tokensOf(title);
    const minTopic = MIN_TOPIC_TOKENS[language === 'zh' ? 'wide' : 'latin'];
    const cut = text.slice(0, READ_CHARACTERS);
    const plainLead = separateHeadings(/[<&]/u.test(cut) ? plainText(cut) : cut);
    const sentences = split(plainLead).flatMap((sentence, sentenceIndex, all) => {
      if (isInsideQuotation(all, sentenceIndex)) return [];
      const cleanText = removeOutlet(
        removeRepeatedHeading(removeTitle(sentence.text, title)),
        title,
      );
      const cleaned = sentence.isComplete ? clean(cleanText) : null;
      const isCut = cleaned === null || hasCutName(cleaned, `${title} ${plainLead}`);
      return isCut ? [] : [{ text: trimDay(cleaned), place: sentenceIndex }];
    });
    const subject = tokensOf(openingName.exec(title)?.[0] ?? '');
    const clauseSubjects = tokensOf(
      title
        .split(clauseStop)
        .flatMap((clause) => openingName.exec(clause)?.[0] ?? [])
        .join('\n'),
    );
    const named = `${title}\n${findNames(plainLead)}`;
    const openings = sentences.slice(0, OPENING_SENTENCES).flatMap((sentence, index) => {
      const tokens = tokensOf(sentence.text);
      const shared = Math.max(
        sharedShare(titleTokens, tokens),
        topic === undefined || topic.size < minTopic ? 0 : sharedShare(topic, tokens),
      );
      const isUnnamed = sharedCount(subject, tokens) === 0;
      const isForeign = isUnnamed && sharedCount(clauseSubjects, tokens) === 0;
      const isBacked =
        sharedCount(titleTokens, tokens) >= MIN_TOKENS &&
        tokens.size >= MIN_ECHOED_TOKENS &&
        sharedShare(tokens, echo) >= MIN_ECHOED &&
        (isReport(sentence.text) || (index === 0 && !isUnnamed));
      const isOpening =
        isUsable(sentence.text, language) &&
        !isDependent(sentence.text, language) &&
        (shared >= NAMED || startsWithTitleName(sentence.text, named)) &&
        !needsEarlierSentence(sentence.text, title, sentence.place) &&
        !recalled.test(sentence.text) &&
        !judging.test(sentence.text) &&
        (isCaption ||
          topic === undefined ||
          topic.size < minTopic ||
          sharedCount(topic, tokens) > 0) &&
        (index === 0 || opensWithTitle(sentence.text, title, tokensOf)) &&
        (isCaption
          ? index < CAPTION_SENTENCES && isNews(sentence.text, named)
          : isBacked ||
            ((!isChinese(title, sentence.text) || sharesMore(titleTokens, subject, tokens)) &&
              shared >= (index === 0 ? MIN_SHARED.first : MIN_SHARED.later) &&
              sharedCount(titleTokens, tokens) >= Math.min(MIN_TOKENS, titleTokens.size))) &&
        sharedShare(tokens, titleTokens) < REPEATED;
      const loss = index > 0 && isUnnamed ? UNNAMED : 0;
      return isOpening && (isBacked || !(isForeign && isChinese(title, sentence.text)))
        ? [{ index, worth: shared - loss - LATER * index }]
        : [];
    });
    const [best] = openings.toSorted((a, b) => b.worth - a.worth);
    const opening = best?.index ?? -1;
    const first = sentences[opening];
    if (first === undefined) return [];
    const next = sentences[opening + 1];
    const isFit =
      next !== undefined &&
      isUsable(next.text, language) &&
      (startsWithTitleName(next.text, `${named} ${first.text}`) ||
        (next.place === first.place + 1 && /\d|^(?:The|An?) /u.test(next.text)));
    if (!isFit) return [first.text];
    const [firstTokens, nextTokens] = [tokensOf(first.text), tokensOf(next.text)];
    const isRepeated =
      sharedOpening(first.text, next.text) ||
      Math.max(sharedShare(nextTokens, firstTokens), sharedShare(firstTokens, nextTokens)) > 0.6 ||
      sharedShare(nextTokens, titleTokens) > 0.7;
    const isLong = first.text.length + next.text.length > longestLead(first.text);
    // After a sentence that was left out, nothing shows to what a pronoun refers.
    const isLoose =
      (next.place > first.place + 1 && isDependent(next.text, language)) ||
      (language !== 'zh' && hasUnknownSpeaker(next.text, `${title} ${first.text}`)) ||
      changesTopic(next.text);
    return isRepeated || isLong || isLoose ? [first.text] : [first.text, next.text];
  };
  return { leadOf, tokensOf };
}

/** A later Chinese sentence reports, or its first clause has words of the title. */
function opensWithTitle(text: string, title: string, tokensOf: Tokens): boolean {
  const [clause = ''] = text.replace(/^(?:据|根据|综合)[^，]*，/u, '').split('，');
  return (
    !isChinese(title, text) || isReport(text) || sharedCount(tokensOf(title), tokensOf(clause)) > 0
  );
}

/** An earlier event: "Speaking earlier this year, …", 三天前. */
const recalled = new RegExp(
  '^.{0,60}\\b(?:earlier this|last) (?:month|year)\\b|' +
    '^[^，。]{0,12}[几数两二三四五六\\d]\\s?(?:天|周|个月|年)前',
  'u',
);

/** A Chinese sentence about the title shares more with it than the words of the subject. */
function sharesMore(
  title: ReadonlySet<string>,
  subject: ReadonlySet<string>,
  tokens: ReadonlySet<string>,
): boolean {
  const otherTokens = new Set([...title].filter((token) => !subject.has(token)));
  return sharedCount(otherTokens, tokens) >= Math.min(MIN_TOKENS, otherTokens.size);
}

function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((token) => b.has(token)).length;
}

/** Two sentences with the same first words give one fact twice. */
function sharedOpening(a: string, b: string): boolean {
  const [opening] = /^(?:\p{sc=Han}{6}|\S+ \S+ \S+)/u.exec(a) ?? [];
  return opening !== undefined && b.startsWith(opening);
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

const openingName =
  /^(?:\p{sc=Han}{2,4}|[\p{L}\p{N}.'’-]+(?: [\p{Lu}\p{N}][\p{L}\p{N}.'’-]*){0,2})/u;

/** Ends of clauses in a title. */
const clauseStop = /[，,。！!？?：:；;|｜丨\s]+/u;

/** A sentence inside straight quotation marks that an earlier sentence of its line opened. */
function isInsideQuotation(sentences: readonly Sentence[], place: number): boolean {
  const { block } = sentences[place] ?? {};
  const marksOf = (some: readonly Sentence[]) =>
    some
      .filter((sentence) => sentence.block === block)
      .flatMap(({ text }) => text.match(/"/gu) ?? []).length;
  return marksOf(sentences) % 2 === 0 && marksOf(sentences.slice(0, place)) % 2 === 1;
}

/** "The restrictions will take effect": after another sentence, the article refers to it. */
const referring = new RegExp(
  '^The (?<noun>(?:\\p{Ll}+ ){0,2}\\p{Ll}+)(?:,| (?:by|is|are|was|were|will|would|has|have|' +
    'had|also|could|can|may|comes?|came|shows?|marks?|follows|affects?)\\b)',
  'u',
);
/** Characters within which a sentence under a caption names its actor. */
const EARLY_NAME = 60;
/** A sentence under a caption: a completed action of a named actor. */
const isNews = (text: string, title: string) =>
  isAction(text) &&
  !unexplained.test(text.slice(0, 2 * EARLY_NAME)) &&
  !vague.test(text) &&
  startsWithTitleName(text.replace(/\b\p{Lu}\p{Ll}+day\b/gu, '').slice(0, EARLY_NAME), title);

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
const speaker = new RegExp(
  "^(?<name>[\\p{sc=Han}·]{2,8}?|\\p{Lu}[\\p{L}’'-]+)(?:还|也|则|进一步| also)?" +
    '(?:表示|称|说|指出|强调|认为|透露| said| says| added| told)',
  'u',
);

/** "Also" before the verb adds to an earlier sentence. */
const adding = /^[^，,。]{0,20}(?<!随|再)也(?!许|门)|^(?:\S+ ){1,6}also\b/u;

/** Whether a sentence needs an earlier one; the title may introduce a speaker or a noun. */
function needsEarlierSentence(sentence: string, title: string, index: number): boolean {
  const noun = referring.exec(sentence)?.groups?.noun?.split(' ').at(-1);
  if (index === 0) return noun !== undefined && !title.toLowerCase().includes(noun);
  return (
    noun !== undefined ||
    adding.test(sentence) ||
    /^\p{Lu}\p{Ll}+ (?:its|their|his|her)\b/u.test(sentence) ||
    hasUnknownSpeaker(sentence, title)
  );
}

/** "Saleh said": a speaker whom the text before does not name. */
function hasUnknownSpeaker(sentence: string, before: string): boolean {
  const name = speaker.exec(sentence)?.groups?.name;
  return name !== undefined && !before.includes(name);
}

/** In Chinese only the opening words of the title show its subject. */
const isChinese = (...texts: readonly string[]) =>
  texts.every((text) => /^\p{sc=Han}{2}/u.test(text));

/** A Chinese second sentence that turns to background or to another fact. */
const turning = new RegExp(
  '^(?:[这那][两二三四五六七八九十几\\d]|值得(?:注意|一提)|有记者|此外|另外|' +
    '另据|至于|根据|据|不过|然而|事实上|其实|而)',
  'u',
);
const judging = /当然|[令让]人|可谓|堪称|无疑|毕竟|显然|相当|又当又/u;
const changesTopic = (sentence: string) => turning.test(sentence) || judging.test(sentence);

/** Characters of both sentences. */
const longestLead = (text: string) => (/\p{sc=Han}/u.test(text) ? 230 : 560);

const sayingVerb = '(?:said|announced|confirmed|reported|told \\p{L}+|\\p{L}{3,}ed)';
const later = '(?!起|开始|头条|资本|的|，|,|\\d)(?=[\\p{sc=Han}A-Z])';
const partOfDay = '(?:上午|下午|晚间?|凌晨|早间?|早上|晚上)?';

const parenthetical = new RegExp(
  [
    `(?<![截至到于在从自前])[今昨][天日晚晨]${partOfDay}${later}`,
    `(?<=\\b${sayingVerb})(?: earlier)? (?:today|yesterday)\\b`,
    '(?<=[\\p{L})])\\s(?:(?:from|starting|as of) )?(?:earlier )?(?:today|yesterday)' +
      '(?=$| (?:\\p{Ll}+(?:ed|s)|said|began|won|took)\\b)',
  ].join('|'),
  'gu',
);

const openingDay = new RegExp(
  '^(?:(?:earlier )?(?:today|yesterday|this (?:morning|afternoon|evening))' +
    '(?:[,:]\\s*|\\s+(?=we\\b))|' +
    '(?:今天|今日|昨天|昨日|昨晚|今晚|今早|刚刚|近日|日前|近期|[今昨][天日])' +
    `${partOfDay}(?!起|开始|的)(?:消息(?=[，,]))?[，,:：]?\\s*)`,
  'iu',
);

/** Removes adverbs such as "today", which mean another day for each reader. */
export function trimDay(sentence: string): string {
  const dated = sentence.replace(
    /[今昨前][天日晚晨]\s*[（(](?<day>(?:\d{1,2}月)?\d{1,2}日)[）)]/gu,
    '$<day>',
  );
  const remaining = dated
    .replace(openingDay, '')
    .replace(/“[^”]*”|[^“]+/gu, (part) =>
      part.startsWith('“') ? part : part.replace(parenthetical, ''),
    )
    .replace(/；$/u, '。');
  // A name such as “iPhone” keeps its first letter.
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
