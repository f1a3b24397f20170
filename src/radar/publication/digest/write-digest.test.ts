// What a digest promises: contradictions stated, superseded figures told as such, nothing left of
// a removed report, and sentences that stay while their reports do.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proofSeed } from '../../../../tests/support/scale.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { claimsOf } from './claims-of.ts';
import type { DigestReport, ReportWithClaims } from './digest.ts';
import { writeDigest } from './write-digest.ts';

const at = Date.parse('2026-11-18T08:00:00Z');
const bare = { siteLanguage: 'en', previous: null } as const;

function report(id: string, given: Partial<DigestReport>): ReportWithClaims {
  const plain: DigestReport = {
    ...{ id, owner: `owner ${id}`, sourceName: `Source ${id}`, isFirstParty: false, tier: 'T2' },
    ...{ language: 'en', at, title: `Acme, told by ${id}`, summary: null, text: '' },
    ...given,
  };
  return { ...plain, claims: claimsOf(plain) };
}

const raised = report('a', { text: 'Acme has raised $480 million in a round led by Elm Park.' });
const other = report('b', {
  at: at + HOUR_MS,
  text: 'Acme raised $360 million in new funding, a filing shows. It employs 1,200 people.',
});

const subjects = (...texts: readonly string[]) => {
  const reports = texts.map((text, index) => report(`r${index}`, { text, at: at + index }));
  return writeDigest(reports, bare)?.contradictions.map((one) => one.subject);
};

describe('what keeps figures apart', () => {
  it.each([
    ['the sum so far', 'Acme raised $85 million.', 'Acme has raised $141 million so far.'],
    ['a business unit', 'Acme will cut 5,000 jobs.', 'The cloud unit of Acme will cut 1,200 jobs.'],
    ['a region', 'Acme revenue was $4 billion.', 'Acme revenue in Asia was $2 billion.'],
    ['a test', 'Acme 5 scored 64% on Forge.', 'Acme 5 scored 91% on Numera.'],
    ['a phase', '项目总投资60亿元。', '项目一期投资20亿元。'],
    ['a model', 'Rivet consumes 350 watts.', 'Rivet Max will draw 600 watts.'],
    [
      'what is left',
      'It left 84,000 homes dark.',
      'By night 30,000 homes were still without power.',
    ],
  ])('%s', (_, one, two) => {
    expect(subjects(one, two)).toEqual([]);
  });
});

describe('figures find each other', () => {
  it.each([
    [
      'when another report settles the rest',
      'Acme 5 of 90 experts got 87.4% on Lattice and 71.2% on Forge.',
      'With 71.2% on Forge and 84.7% on Lattice, Acme 5 of 90 experts is out.',
      'the score',
    ],
    [
      'by the noun they count',
      'The robot folds 45 shirts an hour.',
      'It folds 30 shirts an hour.',
      'the number of shirts',
    ],
    [
      'by their unit',
      'The rocket climbed to 18 kilometers in 90 seconds.',
      'It reached an altitude of 12 kilometers in 90 seconds.',
      'the altitude',
    ],
  ])('%s', (_, one, two, subject) => {
    expect(subjects(one, two)).toEqual([subject]);
  });
});

describe('a digest', () => {
  it('is null when there are no reports', () => {
    expect(writeDigest([], bare)).toBeNull();
  });

  it('states a contradiction with who says what', () => {
    expect(writeDigest([other, raised], bare)).toEqual({
      title: 'Acme, told by a',
      latest: 'Acme, told by b',
      text:
        'Acme has raised $480 million in a round led by Elm Park. It employs 1,200 people. ' +
        'Reports differ on the amount raised: Source a says $480 million, ' +
        'Source b says $360 million.',
      language: 'en',
      sentences: [
        { text: 'Acme has raised $480 million in a round led by Elm Park.', reportIds: ['a'] },
        { text: 'It employs 1,200 people.', reportIds: ['b'] },
        {
          text:
            'Reports differ on the amount raised: Source a says $480 million, ' +
            'Source b says $360 million.',
          reportIds: ['a', 'b'],
        },
      ],
      contradictions: [
        {
          subject: 'the amount raised',
          statements: [
            { value: '$480 million', reportId: 'a', source: 'Source a', at },
            { value: '$360 million', reportId: 'b', source: 'Source b', at: at + HOUR_MS },
          ],
        },
      ],
    });
  });

  it('tells a figure that is taken back as what it was', () => {
    const fix = report('c', {
      at: at + 2 * HOUR_MS,
      text: 'Correction: Acme raised $450 million, not $480 million as first reported.',
    });
    const digest = writeDigest([raised, fix], bare);
    expect(digest?.contradictions).toEqual([]);
    expect(digest?.sentences.at(-1)).toEqual({
      text: 'The amount raised was $480 million, now $450 million, according to Source c.',
      reportIds: ['a', 'c'],
    });
  });

  it('speaks the language of most reports and converts figures into it', () => {
    const zh = { language: 'zh-CN' };
    const digest = writeDigest(
      [
        report('a', { ...zh, title: '阿克米融资', text: 'Acme宣布完成4.8亿美元融资。' }),
        report('b', { ...zh, title: '阿克米新一轮', text: 'Acme获得4.8亿美元融资，由榆园领投。' }),
        report('c', { text: 'Acme raised 360 million dollars in new funding.' }),
      ],
      bare,
    );
    expect(digest?.language).toBe('zh');
    expect(digest?.sentences.at(-1)?.text).toBe(
      '关于融资金额，各方说法不一：Source a、Source b称4.8亿美元，Source c称3.6亿美元。',
    );
  });

  it('puts the first party first, whatever came before', () => {
    const own = report('z', {
      ...{ at: at + 9 * HOUR_MS, isFirstParty: true, title: 'Our new round' },
      text: 'We have raised $480 million from Elm Park and others.',
    });
    const digest = writeDigest([raised, own], bare);
    expect(digest?.title).toBe('Our new round');
    expect(digest?.sentences[0]).toEqual({
      text: 'We have raised $480 million from Elm Park and others.',
      reportIds: ['z', 'a'],
    });
  });

  it('does not begin with a question or a remark while something tells what happened', () => {
    const asks = report('c', { at: at - HOUR_MS, text: 'Did Acme really raise that much money?' });
    const remark = report('d', { at: at - HOUR_MS, text: 'contamination check of Acme, when.' });
    for (const first of [asks, remark]) {
      expect(writeDigest([first, raised], bare)?.text).toMatch(/^Acme has raised \$480 million/);
      expect(writeDigest([first], bare)?.text).toBe(first.text);
    }
  });

  it('keeps nothing of a report that is gone', () => {
    const before = writeDigest([raised, other], bare);
    const after = writeDigest([raised], { siteLanguage: 'en', previous: before });
    expect(JSON.stringify(after)).not.toMatch(/360|1,200|Source b|"b"/u);
    expect(after?.contradictions).toEqual([]);
  });
});

const facts = [
  'Acme has 40 million monthly active users.',
  'Acme will cut 450 jobs in its cloud unit.',
  'The outage at Acme lasted four hours.',
  'The Acme campus will have a capacity of 300 megawatts.',
  'Acme was fined 25 million euros.',
  'Acme reported third-quarter revenue of $812 million.',
];

describe('a growing story', () => {
  it('changes only what a new report bears on', () => {
    const told = fc.uniqueArray(fc.constantFrom(...facts), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(told, (texts) => {
        const reports = texts.map((text, index) =>
          report(`r${index}`, { at: at + index * HOUR_MS, text }),
        );
        const before = writeDigest(reports.slice(0, -1), bare);
        const after = writeDigest(reports, { siteLanguage: 'en', previous: before });
        expect(after?.sentences.slice(0, -1)).toEqual(before?.sentences);
        expect(after?.sentences.at(-1)?.text).toBe(texts.at(-1));
        const again = writeDigest(reports.slice(0, -1), { siteLanguage: 'en', previous: after });
        expect(again).toEqual(before);
      }),
      { seed: proofSeed(), numRuns: 60 },
    );
  });
});

describe('hostile input', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['emoji only', '🚀🔥🎉'],
    ['markup', '<div><p>Acme &amp; Co raised <b>$5m</b></p><script>alert(1)</script>'],
    ['no figures', 'Nothing in this text can be counted at all.'],
    ['a hundred thousand digits', '1'.repeat(100_000)],
    ['a hundred thousand signs', '$'.repeat(100_000)],
    ['a hundred thousand numerals', '百'.repeat(100_000)],
    ['endless changes', 'from 1 to '.repeat(10_000)],
    ['endless brackets', '('.repeat(100_000)],
    ['endless prose', 'Acme raised $5 million and 30% of 200 users. '.repeat(2_300)],
    ['broken characters', '\ud800\u0000Acme raised $5 million.'],
  ];

  it.each(texts)('%s ends in a plain, bounded digest', (_, text) => {
    const one = report('a', { text, title: text.slice(0, 5_000) });
    const digest = writeDigest([one, { ...one, id: 'b', owner: 'another' }], bare);
    expect(digest?.latest).not.toBe('');
    expect(digest?.sentences.length).toBeLessThanOrEqual(8);
    for (const sentence of digest?.sentences ?? []) {
      expect(sentence.text.length).toBeLessThanOrEqual(300);
      expect(sentence.text).not.toMatch(/<\/?[a-z]/u);
    }
  });
});
