// The model request about the relation of a report to other reports, the candidates. The reply has
// one of four relations for each candidate, with a quotation of the candidate as evidence. A reply
// with a quotation that does not occur in the candidate is refused.
import { z } from 'zod';
import type { ModelTask, Prompt } from '../../../kernel/ports/model.ts';
import type { StoryItem } from '../clustering/story-item.ts';

/** The prompt and the quoting of third-party text in it, passed in by the composition root. */
export type RelatePrompt = {
  readonly prompt: Prompt;
  /** Maximum number of tokens for all texts of one request together. */
  readonly textTokens: number;
  readonly quote: (name: string, text: string) => string;
  readonly cap: (text: string, tokens: number) => string;
};

export const relations = ['same_event', 'development', 'related', 'unrelated'] as const;
export type Relation = (typeof relations)[number];

export const maxCandidates = 6;

export type RelateReply = {
  readonly itemId: string;
  readonly relation: Relation;
  readonly quote: string;
};

type ModelReply = {
  relations: { candidate: string; relation: Relation; quote: string }[];
};

export function createRelateTask(
  { prompt, textTokens, quote, cap }: RelatePrompt,
  report: StoryItem,
  candidates: readonly StoryItem[],
): ModelTask<ModelReply> {
  const offered = candidates.slice(0, maxCandidates);
  const share = Math.floor(textTokens / (offered.length + 1));
  const textOf = (item: StoryItem) => cap(wordsOf(item), share);
  const ids = offered.map((_, index) => `c${index + 1}`);
  const day = ({ timeMs }: StoryItem) =>
    timeMs === null ? '' : ` of ${new Date(timeMs).toISOString().slice(0, 10)}`;
  const input = [
    quote(`report${day(report)}`, textOf(report)),
    ...offered.map((item, index) => quote(`candidate${day(item)} id=${ids[index]}`, textOf(item))),
  ].join('\n');
  const shape = z.strictObject({
    relations: z.array(
      z.strictObject({
        candidate: z.enum(ids as [string, ...string[]]),
        relation: z.enum(relations),
        quote: z.string(),
      }),
    ),
  });
  const texts = new Map(
    ids.map((id, index) => [id, comparableText(wordsOf(offered[index] ?? report))]),
  );
  return {
    step: 'relate',
    prompt,
    input,
    shape,
    subject: report.id,
    check: (result) => findReplyError(result, texts),
  };
}

const wordsOf = ({ title, text = '' }: StoryItem) => `${title}\n${text}`;

function findReplyError(
  { relations }: ModelReply,
  texts: ReadonlyMap<string, string>,
): string | null {
  const namedCandidates = new Set(relations.map(({ candidate }) => candidate));
  const missing = [...texts.keys()].filter((id) => !namedCandidates.has(id));
  if (missing.length > 0) return `the reply omits ${missing.join(', ')}`;
  if (namedCandidates.size !== relations.length) return 'a candidate occurs twice';
  for (const { candidate, relation, quote } of relations) {
    if (relation === 'unrelated') continue;
    const words = comparableText(quote);
    if (words.length < 4 || !(texts.get(candidate) ?? '').includes(words)) {
      return `the quote for ${candidate} does not occur word for word in its text`;
    }
  }
  return null;
}

/** The same words, ignoring spaces, quotation marks and capitals. */
function comparableText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/["'“”‘’«»「」『』]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Maps the candidate numbers of the reply to item ids. */
export function relatedOf(
  reply: ModelReply,
  candidates: readonly StoryItem[],
): readonly RelateReply[] {
  return reply.relations.flatMap(({ candidate, relation, quote }) => {
    const item = candidates[Number(candidate.slice(1)) - 1];
    return item === undefined ? [] : [{ itemId: item.id, relation, quote }];
  });
}
