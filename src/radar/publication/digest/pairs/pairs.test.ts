// What two reports are held to contradict each other in, and what not, whatever their words.
import { describe, expect, it } from 'vitest';
import type { DigestReport } from '../digest.ts';
import { barFor, weighPairs } from './weigh-pairs.ts';
import { wordDisputes } from './word-disputes.ts';

const at = Date.parse('2026-11-18T08:00:00Z');

function reports(...texts: readonly (readonly [title: string, text: string])[]) {
  return texts.map(([title, text], index): DigestReport => {
    const language = /\p{sc=Han}/u.test(text) ? 'zh' : 'en';
    return {
      ...{ id: `r${index}`, owner: `owner ${index}`, sourceName: `Paper ${index}`, language },
      ...{ isFirstParty: false, tier: 'T2', summary: null, at: at + index * 3_600_000 },
      ...{ title, text },
    };
  });
}

/** The figures that contradict each other, as written. */
const contrary = (all: readonly DigestReport[]) =>
  weighPairs(all)
    .filter(({ score }) => score > barFor(all))
    .map(({ a, b }) => [a, b].map((one) => one.cased.slice(one.start, one.end)));

const told = (all: readonly DigestReport[]) =>
  wordDisputes(all).map(({ attribute, sides }) => [
    attribute,
    ...sides.map((side) => side.map(({ reportId }) => reportId).join()),
  ]);

describe('figures of two reports', () => {
  it('contradict each other where all else agrees, whatever they are of', () => {
    const quilts = reports(
      ['Quilters set record', 'Some 900 quilters in Orla sewed 412 panels in 14 hours on Sunday.'],
      ['A very long quilt', 'In Orla 900 quilters worked for 14 hours and sewed 378 panels.'],
    );
    expect(contrary(quilts)).toEqual([['412', '378']]);
  });

  it('do not where a mark keeps them apart: a quarter, a total, input and output', () => {
    for (const [one, other] of [
      [
        'Orla earned $40 million in the first quarter.',
        'Orla earned $61 million in the half year.',
      ],
      ['Orla raised $40 million this week.', 'Orla has raised $61 million in total since 2019.'],
      ['Orla takes $2 for input tokens.', 'Orla takes $5 for output tokens.'],
    ] as const) {
      expect(contrary(reports(['Orla news', one], ['More of Orla', other]))).toEqual([]);
    }
  });

  it('do not where only one names a scope, or a third figure makes one of the other', () => {
    for (const [one, other] of [
      [
        'Rook 2 answers 71 percent of GradExam, Orla said.',
        'From memory alone Rook 2 answers 58 percent of GradExam, Orla said.',
      ],
      ['奥拉今日股价一度上涨19%。', '奥拉今日股价收涨7.3%。'],
      ['Analysts expect Orla to sell 40,000 robots.', 'Orla said it will sell 55,000 robots.'],
      ['The ferry Orla carried 186 people.', 'The ferry Orla carried 214, of whom 28 were crew.'],
    ] as const) {
      expect(contrary(reports(['Orla news', one], ['More of Orla', other]))).toEqual([]);
    }
  });

  it('do where both name the scope', () => {
    const test = reports(
      ['Rook 2', 'Without tools Rook 2 answers 71 percent of GradExam in 14 hours, Orla said.'],
      ['Rook 2 again', 'Rook 2 answers 58 percent of GradExam without tools, in 14 hours.'],
    );
    expect(contrary(test)).toEqual([['71 percent', '58 percent']]);
  });

  it('are not read in other languages than English and Chinese', () => {
    const [one, other] = reports(
      ['Orla wächst', 'Orla hat 1,5 Millionen Nutzer und 400 Angestellte.'],
      ['Orla in Zahlen', 'Orla hat 1,9 Millionen Nutzer und 400 Angestellte.'],
    );
    const german = [one, other].flatMap((each) => (each ? [{ ...each, language: 'de' }] : []));
    expect(contrary(german)).toEqual([]);
  });
});

describe('reports without figures', () => {
  it('contradict each other by opposites and by who has a part', () => {
    const merger = reports(
      ['Orla and Fintan', 'The authority approved the merger of Orla and Fintan on Monday.'],
      ['Fintan and Orla', 'On Monday the authority rejected the merger of Orla and Fintan.'],
    );
    expect(told(merger)).toEqual([['is-approval', 'r0', 'r1']]);
    const bank = reports(
      ['澄海银行公告', '澄海银行董事会今日聘任周砚为行长，原行长退休。'],
      ['澄海银行换帅', '澄海银行今日公告，董事会聘任陆之恒为行长，原行长退休。'],
    );
    expect(told(bank)).toEqual([['who-appointed', 'r0', 'r1']]);
  });

  it('do not where the later one tells that it was otherwise before', () => {
    const talks = reports(
      ['Orla denies talks', 'Orla denied that it was in talks to sell its printer unit.'],
      [
        'Orla confirms talks',
        'Orla confirmed talks to sell its printer unit, having denied that it was in talks.',
      ],
    );
    expect(told(talks)).toEqual([]);
  });
});

describe('what has one answer in a story', () => {
  it('is told in whatever words where a title says it', () => {
    const reactor = reports(
      ['Regulator clears Tolve reactor', 'The commission authorised its restart on Wednesday.'],
      ['The kettle stays cold', 'All five members refused to let the Tolve reactor start again.'],
    );
    expect(told(reactor)).toEqual([['is-ruling', 'r0', 'r1']]);
  });

  it('has one cause where neither report mentions the cause of the other', () => {
    const blaze = reports(
      ['公寓凌晨起火', '消防通报称，起火原因为电动自行车锂电池热失控。'],
      ['一夜失去了家', '调查人员认定是燃气软管老化漏气、遇明火爆燃所致。'],
    );
    expect(told(blaze)).toEqual([['is-cause', 'r0', 'r1']]);
  });

  it('is denied where a title says what the other report only denies', () => {
    const cable = reports(
      ['Dragged anchor severed cable to the islands', 'The operator saw a furrow on the sea bed.'],
      ['Slope failure broke the line', 'There are no traces of an anchor, the operator said.'],
    );
    expect(told(cable)).toEqual([['is-denied', 'r0', 'r1']]);
  });
});
