// Writes the replies of the demonstration's chat model. Simple rules derive each reply from the
// text alone. They do not interpret the text, so instructions in it have no effect.
import { embedText } from './embed-text.ts';
import { findNames, findVerb, translateToEnglish } from './own-glossary.ts';
import type { ParsedQuestion } from './read-question.ts';

/** `fault`: fixed replies about relations; absent: replies derived from the texts. */
export function answerQuestion(question: ParsedQuestion, fault: string | null = null): unknown {
  if (question.step === 'relate' && fault !== null && isBiased(fault)) {
    return { relations: biasedRelations(question, fault) };
  }
  switch (question.step) {
    case 'prefilter':
      return { about: isOnTopic(question) };
    case 'score':
      return { score: scoreOf(question) };
    case 'write':
      return writeReply(question);
    case 'sort':
      return sortReply(question);
    case 'facts':
      return { facts: factsOf(question) };
    case 'relate':
      return { relations: relationsOf(question) };
    case 'digest':
      return { sentences: digestOf(question) };
    case 'report':
      return reportOf(question);
    case 'unknown':
      return { text: question.text.slice(0, 200) };
  }
}

const isHan = (text: string) => (text.match(/\p{sc=Han}/gu)?.length ?? 0) * 4 > text.length;

/** The third-party text without its publisher. */
function bodyOf({ fences }: ParsedQuestion): string {
  const content = fences.filter(({ name }) => name !== 'publisher');
  return content.map(({ text }) => text).join('\n');
}

function partsOf(question: ParsedQuestion): { readonly title: string; readonly text: string } {
  const fenceText = (name: string) => question.fences.find((fence) => fence.name === name)?.text;
  const [first = '', ...otherLines] = bodyOf(question).split('\n');
  return { title: fenceText('title') ?? first, text: fenceText('text') ?? otherLines.join('\n') };
}

function sentencesOf(text: string): readonly string[] {
  return (text.match(/[^.!?。！？\n]+(?:[.!?](?=\s|$)|[。！？]|$|\n)|[^\n]+/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 12);
}

function isOnTopic(question: ParsedQuestion): boolean {
  const text = bodyOf(question);
  return /\p{L}/u.test(text) && !/promo code|coupon|优惠码|404 not found/i.test(text);
}

function scoreOf(question: ParsedQuestion): number {
  const { title, text } = partsOf(question);
  const figures = new Set(`${title} ${text}`.match(/\d[\d.,]*/g) ?? []).size;
  const names = findNames(`${title} ${text}`).length;
  const hasEventVerb = /launch|release|raise|acquir|rul|fine|open|发布|融资|收购|判|罚/i.test(
    title,
  );
  const isShort = text.length < 200;
  const sum = 30 + Math.min(5, figures) * 5 + Math.min(4, names) * 4 + (hasEventVerb ? 14 : 0);
  return Math.max(0, Math.min(95, isShort ? sum - 18 : sum));
}

/** Shortens a text at a word, to a length that every prompt allows. */
function cutAtWord(text: string, isChinese: boolean): string {
  const maxLength = isChinese ? 48 : 100;
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  return isChinese ? cut : cut.slice(0, Math.max(20, cut.lastIndexOf(' ')));
}

function writeReply(question: ParsedQuestion): object {
  const { isChinese } = question;
  const { title, text } = partsOf(question);
  const fullText = `${title}\n${text}`;
  const [name] = findNames(fullText);
  const sentencesInLanguage = sentencesOf(text).filter((sentence) => isHan(sentence) === isChinese);
  const summary = sentencesInLanguage.slice(0, 2).join(isChinese ? '' : ' ');
  const maxLength = isChinese ? 130 : 270;
  const firstSentence = sentencesInLanguage[0] ?? '';
  const shortSummary = summary.length <= maxLength ? summary : firstSentence.slice(0, maxLength);
  return {
    title:
      isHan(title) === isChinese ? cutAtWord(title, isChinese) : writeNameLine(fullText, isChinese),
    summary: summary === '' ? null : shortSummary,
    reason: isChinese
      ? `说明了${name?.[1] ?? '此事'}的具体事实。`
      : `It gives checkable facts about ${name?.[0] ?? 'what happened'}.`,
  };
}

/** A line in the other language that consists of names. */
function writeNameLine(text: string, isChinese: boolean): string {
  const [first, second] = findNames(text);
  if (isChinese) return `${first?.[1] ?? '业界'}：${second?.[1] ?? '最新'}进展`;
  const verb = findVerb(text) ?? 'reports';
  return `${first?.[0] ?? 'The industry'} ${verb} ${second?.[0] ?? 'news'}`;
}

/** Ids that the prompt offers: `- id: description`, or `id (description)`. */
function categoriesIn({ text }: ParsedQuestion): readonly (readonly [string, string])[] {
  return [...text.matchAll(/^[-*]?\s*([a-z][a-z0-9-]{1,39})\s*[:(–-]\s*(.+)$/gm)].map(
    ([, id = '', description = '']) => [id, description] as const,
  );
}

function sortReply(question: ParsedQuestion): object {
  const { title, text } = partsOf(question);
  const subject = embedText(`${title} ${title} ${text.slice(0, 600)}`);
  const rankedCategories = categoriesIn(question)
    .map(([id, description]) => ({
      id,
      similarity: dotProduct(embedText(`${id} ${description}`), subject),
    }))
    .sort((a, b) => b.similarity - a.similarity);
  const fullText = `${title} ${text}`;
  const names = findNames(fullText).map(([en, zh]) => (fullText.includes(en) ? en : zh));
  return { category: rankedCategories[0]?.id ?? null, tags: [...new Set(names)].slice(0, 6) };
}

function factsOf(question: ParsedQuestion): readonly object[] {
  const { text } = partsOf(question);
  return sentencesOf(text)
    .filter((sentence) => /\d/.test(sentence) && isHan(sentence) === question.isChinese)
    .slice(0, 4)
    .map((sentence) => ({ text: sentence, quote: sentence.split(' ').slice(0, 30).join(' ') }));
}

function relationsOf({ fences }: ParsedQuestion): readonly object[] {
  const [report, ...candidates] = fences;
  const reportVector = embedText(report?.text ?? '');
  const figures = findFigures(report?.text ?? '');
  return candidates.map(({ name, text }) => {
    const similarity = dotProduct(embedText(text), reportVector);
    const sharedFigures = [...findFigures(text)].filter((figure) => figures.has(figure)).length;
    const relatedness = similarity + Math.min(2, sharedFigures) * 0.08;
    const relation = relationAt(relatedness);
    const quote = relation === 'unrelated' ? '' : firstWords(text);
    return { candidate: parseId(name), relation, quote };
  });
}

function relationAt(relatedness: number): string {
  if (relatedness >= 0.42) return 'same_event';
  if (relatedness >= 0.34) return 'development';
  return relatedness >= 0.22 ? 'related' : 'unrelated';
}

const biases = ['always-same', 'always-unrelated', 'by-position'];
const isBiased = (fault: string) => biases.includes(fault);

function biasedRelations({ fences }: ParsedQuestion, fault: string): readonly object[] {
  const [report, ...candidates] = fences;
  return candidates.map(({ name, text }) => {
    const isSame = fault === 'by-position' ? (report?.text ?? '') < text : fault === 'always-same';
    const relation = isSame ? 'same_event' : 'unrelated';
    return { candidate: parseId(name), relation, quote: isSame ? firstWords(text) : '' };
  });
}

const parseId = (name: string) =>
  /\bid[= ]?"?([\w-]+)/.exec(name)?.[1] ?? name.split(/\s+/).at(-1) ?? '';

const findFigures = (text: string) =>
  new Set(
    (translateToEnglish(text).match(/\d[\d.,]*\d|\d{2,}/g) ?? []).map((figure) =>
      figure.replaceAll(',', ''),
    ),
  );

function firstWords(text: string): string {
  const line =
    text
      .split('\n')
      .find((textLine) => textLine.trim().length > 8)
      ?.trim() ?? '';
  const plain = line.replace(/^(?:title|text|标题)\s*[:：]\s*/i, '');
  return isHan(plain) ? plain.slice(0, 24) : plain.split(' ').slice(0, 18).join(' ');
}

function digestOf(question: ParsedQuestion): readonly object[] {
  const reports = question.fences.filter(({ name }) => name !== 'standing');
  return reports.slice(0, 5).flatMap(({ name, text }) => {
    const sentences = sentencesOf(text).filter(
      (sentence) => isHan(sentence) === question.isChinese,
    );
    const sentence = sentences.find((sentence) => /[.!?。！？]$/.test(sentence)) ?? sentences[0];
    return sentence === undefined ? [] : [{ text: sentence, reports: [parseId(name)] }];
  });
}

/** Uses the first entry's title as headline, and a sentence of each entry, the last one first. */
function reportOf(question: ParsedQuestion): object {
  const lines = question.fences.map(({ name, text }) => {
    const [title = '', ...sentences] = sentencesOf(text).filter(
      (sentence) => isHan(sentence) === question.isChinese,
    );
    const completeSentence = sentences.find((sentence) => /[.!?。！？]$/.test(sentence));
    return { id: parseId(name), text: title, sentence: completeSentence ?? title };
  });
  const filledEntries = lines.filter(({ text }) => text !== '');
  const withEntry = ({ id, text }: { readonly id: string; readonly text: string }) => {
    return { text, entries: [id] };
  };
  const [first] = filledEntries;
  const headline =
    first === undefined
      ? { text: '', entries: [] }
      : withEntry({ ...first, text: cutAtWord(first.text, question.isChinese) });
  const overview = filledEntries
    .slice(0, 3)
    .map(({ id, sentence }) => withEntry({ id, text: sentence }));
  return { headline, overview: overview.toReversed(), sections: [] };
}

const dotProduct = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
