// Guardrails must detect every planted error and accept every correct text, in both languages. The
// author of the rules also wrote the corpus (tests/corpus/guard).
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { encodedText, plainInstructions, rolePattern } from '../injection/instruction-patterns.ts';
import { removeMetaSentences, removeUnrelatedParagraphs } from '../injection/meta-text.ts';
import { removeInstructions } from '../injection/remove-instructions.ts';
import { formatFaults, type GuardrailFault, openTextGuard } from './check-text.ts';
import { readKnownNames } from './known-names.ts';
import { openSourceText } from './source-text.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const guard = openTextGuard(await readKnownNames(`${root}editorial`));

type CorpusText = {
  readonly language: 'en' | 'zh-CN';
  readonly title: string;
  readonly summary: string;
  readonly fault?: string;
  /** The guardrails do not detect this error yet. The test fails when they do. */
  readonly passes?: true;
  /** The guardrails wrongly refuse this correct text. The test fails when they accept it. */
  readonly stopped?: true;
};
type CorpusSource = {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly text: string;
  readonly honest: readonly CorpusText[];
  readonly planted: readonly CorpusText[];
};

const bounds = {
  title: { latin: 110, wide: 52 },
  summary: { latin: 280, wide: 140 },
} as const;

function faultsOf(source: CorpusSource, texts: CorpusText): readonly GuardrailFault[] {
  // The source text after removal of instructions and unrelated text.
  const { text } = removeInstructions(source.text);
  const articleText = removeUnrelatedParagraphs(
    removeMetaSentences(text, source.title),
    source.title,
  );
  const sourceText = openSourceText([source.title, articleText], Date.parse(source.at));
  const { language } = texts;
  return (['title', 'summary'] as const).flatMap((field) =>
    guard({
      text: texts[field],
      field,
      bounds: bounds[field],
      source: sourceText,
      language,
      systemMessage: '',
    }),
  );
}

const rulesOf: Readonly<Record<string, readonly string[]>> = {
  markup: ['plain'],
  link: ['plain'],
  // Any of these rules may detect an injected instruction.
  order: ['plain', 'figure', 'name', 'quote', 'claim'],
};

describe.each(['summaries', 'held-out', 'held-out-2', 'held-out-3'])(
  'the corpus %s',
  async (name) => {
    const text = await readFile(`${root}tests/corpus/guard/${name}.json`, 'utf8');
    const sources: readonly CorpusSource[] = JSON.parse(text);

    test.each(sources.flatMap((source) => source.honest.map((written) => ({ source, written }))))(
      'accepts $source.id: $written.title',
      ({ source, written }) => {
        const faults = faultsOf(source, written);
        if (written.stopped === true) expect(faults).not.toEqual([]);
        else expect(faults).toEqual([]);
      },
    );

    test.each(sources.flatMap((source) => source.planted.map((written) => ({ source, written }))))(
      'refuses $source.id for the fault $written.fault: $written.title',
      ({ source, written }) => {
        const fault = written.fault ?? '';
        const faults = faultsOf(source, written).map(({ rule }) => rule);
        if (written.passes === true) return expect(faults).toEqual([]);
        expect(rulesOf[fault] ?? [fault]).toSatisfy((wanted: readonly string[]) =>
          wanted.some((rule) => faults.some((fault) => fault === rule)),
        );
      },
    );
  },
);

const halden = openSourceText(
  ['Halden Labs opens Atlas 3', 'Halden Labs (哈尔登) opened Atlas 3 on GitHub, Altman said.'],
  Date.parse('2026-08-22'),
);
const findFaults = (text: string, prompt = '') =>
  guard({
    text,
    field: 'title',
    bounds: { latin: 110, wide: 52 },
    source: halden,
    language: 'en',
    systemMessage: prompt,
  });

test.each([
  ['an address', 'Halden Labs opens Atlas 3 at halden.example', 'plain'],
  ['a path', 'Halden Labs opens Atlas 3 (github.com/halden)', 'plain'],
  ['a mail address', 'Halden Labs opens Atlas 3, write to press@halden.example', 'plain'],
  ['a script', 'Halden Labs opens Atlas 3 javascript:alert', 'plain'],
  ['a tag', 'Halden Labs <b>opens</b> Atlas 3', 'plain'],
  ['a list', '- Halden Labs opens Atlas 3', 'plain'],
  ['an image', 'Halden Labs opens Atlas 3 🚀', 'plain'],
  ['invisible characters', 'Halden Labs\u200b opens Atlas 3', 'plain'],
  ['reversed letters', 'Halden Labs \u202eopens Atlas 3', 'plain'],
  ['base64', `Halden Labs opens ${'QWxsIHlvdXIgYmFzZQ'.repeat(3)}`, 'plain'],
  ['nothing', '  ', 'plain'],
  ['a text about the model itself', 'As an AI language model, Halden Labs opens Atlas 3', 'echo'],
  ['a fence', 'Halden Labs opens Atlas 3 <<<text', 'echo'],
  ['too many words', `Halden Labs opens Atlas 3 ${'again '.repeat(20)}`, 'length'],
  ['another language', 'Halden Labs ouvre Atlas 3 pour tous les gens qui veulent', 'language'],
] as const)('refuses %s', (_what, text, rule) => {
  expect(findFaults(text).map((fault) => fault.rule)).toContain(rule);
});

test('accepts every known spelling of a name', () => {
  expect(findFaults('Sam Altman: Halden Labs opens Atlas 3')).toEqual([]);
  expect(findFaults('Halden Labs opens Atlas-3, says Altman')).toEqual([]);
});

test('accepts a transliterated name only when its sound matches', () => {
  const text = 'Li Ming and Luo Jianguo of Bergen met Altman, the company said.';
  const sourceText = openSourceText(['A meeting in Bergen', text], Date.parse('2026-08-22'));
  const faults = (summary: string) =>
    guard({
      text: summary,
      field: 'summary',
      source: sourceText,
      language: 'zh-CN',
      systemMessage: '',
      bounds: { latin: 280, wide: 140 },
    }).map(({ what }) => what);
  expect(faults('总裁李明表示，他在卑尔根见到了罗建国和奥特曼。')).toEqual([]);
  expect(faults('总裁李华表示，他在卑尔根见到了罗建国。')).toEqual([
    'summary: "李华" is not named in the text',
  ]);
  expect(faults('总裁周五表示，发言人曾向媒体透露此事。')).toEqual([
    'summary: "周五" is not in the text',
  ]);
});

test.each([
  ['the fastest chip of all', 'Halden Labs opens Atlas 3, the fastest model of all'],
  ['advice to buy', 'Halden Labs opens Atlas 3: readers should order today'],
] as const)('refuses unsupported praise: %s', (_what, text) => {
  expect(findFaults(text).map(({ rule }) => rule)).toEqual(['claim']);
});

test('refuses six consecutive words of the instructions', () => {
  const prompt = 'Say how much an item matters to the readers, as a whole number.';
  expect(
    findFaults('Halden Labs: how much an item matters to the readers, as a whole', prompt),
  ).toEqual([{ rule: 'echo', what: 'title: it repeats its instructions' }]);
});

test('describes faults in words for the repair request', () => {
  expect(formatFaults(findFaults('OpenAI and Halden Labs raise $5 million'))).toBe(
    'title: "$5 million" is not in the text; title: "OpenAI" is not named in the text',
  );
  expect(formatFaults(findFaults('Halden Labs opens Atlas 3, the fastest of all'))).toBe(
    'title: "fastest" is neither claimed nor advised in the text',
  );
  expect(formatFaults(findFaults('Halden Labs opens Atlas 3'))).toBeNull();
});

test.each(['-', '\n', '/', 'g', ' ', '.'])(
  'checks a million repetitions of %j in linear time',
  (unit) => {
    const long = unit.repeat(1_000_000);
    for (const pattern of [...plainInstructions, rolePattern, encodedText])
      expect(pattern.test(long)).toBe(false);
  },
);
