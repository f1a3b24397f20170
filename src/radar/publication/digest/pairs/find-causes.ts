// Two reports that give one event two causes: a battery and a gas leak, a hacker and an employee.
// The causes stand in `editorial/digest/causes.json`; a report gives one where its sentence speaks
// of a cause at all, and only such causes are set against each other as the other report does not
// mention anywhere.
import { z } from 'zod';
import file from '../../../../../editorial/digest/causes.json' with { type: 'json' };
import type { DigestReport } from '../digest.ts';
import type { Mention } from './mention.ts';
import { readSentences, stretchOf } from './read-sentences.ts';
import { isChinese } from './words.ts';

const list = z.array(z.string().min(1)).min(1);
const words = z.strictObject({ en: list, zh: list });
export const causesFile = z.strictObject({
  /** By what a sentence shows that it speaks of a cause. */
  cues: words,
  causes: z.record(z.string().regex(/^[a-z-]+$/u), words),
});

const { cues, causes } = causesFile.parse(file);
const open = ({ en, zh }: z.infer<typeof words>) => {
  return { en: new RegExp(en.join('|'), 'u'), zh: new RegExp(zh.join('|'), 'u') };
};
const cue = open(cues);
const families = Object.entries(causes).map(([name, own]) => ({ name, ...open(own) }));

/** Most sentences name none. */
const any = open({
  en: Object.values(causes).flatMap(({ en }) => en),
  zh: Object.values(causes).flatMap(({ zh }) => zh),
});

type Cause = { readonly name: string; readonly mention: Mention };
type Causes = {
  /** What it gives as a cause, in reading order. */
  readonly given: readonly Cause[];
  /** What it mentions in any way. */
  readonly named: ReadonlySet<string>;
};

/** Nobody says that it was so. */
const doubtful = new RegExp(
  '\\b(?:may|might|could|whether|suspect\\w*|possibl[ey]|perhaps|rul(?:e|es|ed|ing) out|not|no|' +
    'never|den(?:y|ies|ied)|initially|first (?:thought|suspected))\\b|' +
    '排除|可能|疑似|怀疑|是否|并非|不是|没有|未|尚在|初步|起初',
  'u',
);

export function readCauses(report: DigestReport): Causes {
  const given: Cause[] = [];
  const named = new Set<string>();
  for (const sentence of readSentences(report)) {
    const { text, isRecalled, isOld } = sentence;
    const tongue = isChinese(text) ? 'zh' : 'en';
    if (!any[tongue].test(text)) continue;
    const found = families.flatMap((one) => {
      const match = one[tongue].exec(text);
      return match === null ? [] : [{ name: one.name, match }];
    });
    for (const { name } of found) named.add(name);
    if (isRecalled || isOld || !cue[tongue].test(text)) continue;
    for (const { name, match } of found) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (doubtful.test(text.slice(Math.max(0, start - 40), start))) continue;
      given.push({ name, mention: stretchOf(report, sentence, { start, end, kind: 'is-cause' }) });
    }
  }
  return { given, named };
}

/** One pair at most: the first cause of each that the other does not know. */
export function otherCauses(a: Causes, b: Causes): readonly (readonly [Cause, Cause])[] {
  const isShared = a.given.some(({ name }) => b.named.has(name));
  if (isShared || b.given.some(({ name }) => a.named.has(name))) return [];
  const [own, theirs] = [a.given[0], b.given[0]];
  return own === undefined || theirs === undefined ? [] : [[own, theirs]];
}
