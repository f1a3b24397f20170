// Digests: the words of one report, contradictions between owners, changed figures, and bounded
// results for hostile input.
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { extractClaims } from './claims/extract-claims.ts';
import { containsFigure } from './contradictions/find-contradictions.ts';
import type { DigestReport, ReportWithClaims } from './digest.ts';
import { writeDigest } from './writing/write-digest.ts';

const at = Date.parse('2026-11-18T08:00:00Z');
const options = { siteLanguage: 'en', previous: null } as const;

function report(id: string, overrides: Partial<DigestReport>): ReportWithClaims {
  const defaults: DigestReport = {
    id,
    owner: `owner ${id}`,
    sourceName: `Source ${id}`,
    isPost: false,
    isFirstParty: false,
    tier: 'T2',
    score: 50,
    language: 'en',
    at,
    title: 'Acme raises new funding from Elm Park',
    summary: null,
    text: '',
    ...overrides,
  };
  return { ...defaults, claims: extractClaims(defaults) };
}

const raised = report('a', {
  text:
    'Acme has raised $480 million in a round led by Elm Park. ' +
    'The maker of robots employs 1,200 people.',
});
const other = report('b', {
  at: at + HOUR_MS,
  title: 'Acme funding round led by Elm Park',
  text: 'Acme raised $360 million in new funding from Elm Park, a filing shows.',
});

const contradictions = (...texts: readonly string[]) => {
  const reports = texts.map((text, index) => report(`r${index}`, { text, at: at + index }));
  return writeDigest(reports, options)?.contradictions.map(({ subject }) => subject);
};

describe('a Chinese title with three clauses', () => {
  const title = '丽川工厂起火，两人受伤，警方深夜通报';
  const titleOf = (text: string) =>
    writeDigest([report('a', { language: 'zh', title, text })], options)?.title;

  it('is the title when the first sentence reports the event', () => {
    expect(titleOf('11月18日凌晨，丽川工厂起火，两人受伤，警方通报称火已扑灭。')).toBe(title);
  });

  it('is quoted with its source when no sentence reports the event', () => {
    expect(titleOf('很多人都在关心这件事的后续发展。')).toBe(`Source a：“${title}”`);
  });
});

it('ends before a second sentence that judges', () => {
  const digest = writeDigest(
    [
      report('a', {
        language: 'zh',
        title: '丽川上线无限量生成',
        text: '丽川在11月18日宣布上线无限量生成。丽川的用户可以随心所欲地尽情使用。',
      }),
    ],
    options,
  );
  expect(digest?.text).toBe('丽川在11月18日宣布上线无限量生成。');
});

it.each([
  ['60 of 600 people', '60', true],
  ['600 people', '60', false],
  ['6060 people', '60', false],
  ['1.2 million', '2 million', false],
  ['$4.4 billion (about 489 billion yen)', '$4.4 billion', true],
  ['1'.repeat(100_000), '11111', false],
])('finds only whole figures: %.40s contains %s: %s', (text, figure, expected) => {
  expect(containsFigure(text, figure)).toBe(expected);
});

describe('a count that grows', () => {
  const first = report('a', {
    score: 60,
    title: 'Fire at the Lichuan works kills 14 people',
    text: 'A fire at the Lichuan works killed at least 14 people on Wednesday, the police said.',
  });
  const later = (text: string) =>
    report('b', { at: at + HOUR_MS, title: 'Lichuan works fire: the police count victims', text });

  it('makes the earlier report outdated', () => {
    const digest = writeDigest(
      [
        first,
        later('The fire at the Lichuan works killed 21 people, the police said on Thursday.'),
      ],
      options,
    );
    expect(digest?.text).toContain('21 people');
    expect(digest?.text).not.toContain('14');
  });

  it('is not compared with the count of an earlier disaster', () => {
    const digest = writeDigest(
      [first, later('In 2008 a fire at the Lichuan works killed 260 people, the police said.')],
      options,
    );
    expect(digest?.title).toBe('Fire at the Lichuan works kills 14 people');
  });
});

describe('comparable figures', () => {
  it.each([
    ['the sum so far', 'Acme raised $85 million.', 'Acme has raised $141 million so far.'],
    ['a business unit', 'Acme will cut 5,000 jobs.', 'The cloud unit of Acme will cut 2,700 jobs.'],
    ['a region', 'Acme revenue was $4 billion.', 'Acme revenue in Asia was $2 billion.'],
    ['a version', '松烟 2.5 用户可以升级。', '松烟 2.4 用户可以升级。'],
    ['a vague time', '侦察机飞行历时 11 小时。', '一天内，三架侦察机飞往南海。'],
    ['a model', 'Rivet consumes 350 watts.', 'Rivet Max will draw 600 watts.'],
    ['a target', 'Acme has 40 million users.', 'Acme aims for 60 million users by 2030.'],
    ['new and whole', 'Acme plans $600bn in new spending.', 'Acme plans to spend $1.2tn in all.'],
    ['two months', 'Prices rose 0.9 percent in May.', 'From May to June prices rose 0.7 percent.'],
    [
      'times before and after an event',
      'Acme warned residents two months before the fire.',
      'Two weeks after the fire, Acme warned residents of smoke.',
    ],
    ['parts and whole', 'The plan costs $5 trillion.', 'The plan includes $1 trillion for roads.'],
  ])('do not include %s', (_, first, second) => {
    expect(contradictions(first, second)).toEqual([]);
  });

  it('do not include a figure that a later report extended', () => {
    expect(
      contradictions(
        'Acme recalled 2.5 million robots in September.',
        'Acme widened its recall to 1.9 million robots, which includes a million of the first.',
      ),
    ).toEqual([]);
  });

  it('never include names, outcomes or offices', () => {
    expect(
      contradictions(
        'The board of Acme approved the merger with Birch on Friday.',
        'The board of Acme rejected the merger with Birch on Friday.',
      ),
    ).toEqual([]);
    expect(
      contradictions(
        'Jane Ode was appointed chief of Acme.',
        'Ann Poe was appointed chief of Acme.',
      ),
    ).toEqual([]);
  });

  it('do not include the values of a report that also states the other value', () => {
    expect(
      contradictions(
        'Acme was fined 25 million euros.',
        'Acme was fined 40 million euros. The first notice named 25 million euros.',
      ),
    ).toEqual([]);
  });

  it('do not include a source that states both values in different reports', () => {
    const statements = ['$6.2 billion', '$4.4 billion'].map((price, index) =>
      report(`r${index}`, {
        sourceName: 'Source',
        at: at + index,
        text: `Elm Park will buy Acme for ${price}, the maker of robots said.`,
      }),
    );
    const third = report('c', {
      at: at + 9,
      text: 'Elm Park will buy Acme for $6.2 billion, a filing of the buyer shows.',
    });
    const disputed = statements.map((statement) => ({ ...statement, sourceName: statement.id }));
    expect(writeDigest([...disputed, third], options)?.contradictions).toHaveLength(1);
    expect(writeDigest([...statements, third], options)?.contradictions).toEqual([]);
  });

  it('do not include a copy of a report', () => {
    const copy = { ...raised, id: 'c', owner: 'owner c', sourceName: 'Source c' };
    const digest = writeDigest([raised, copy, other], options);
    expect(digest?.contradictions[0]?.statements.map(({ reportId }) => reportId)).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('a title', () => {
  const text =
    'Acme opened its first school for robots in Elm Park on Monday. ' +
    'The school of Acme has forty places for robots of any make.';

  it('is the first sentence of the text when the title is a question or an opinion', () => {
    const digest = writeDigest(
      [report('a', { title: 'Should robots of Acme go to school in Elm Park?', text })],
      options,
    );
    expect(digest?.title).toBe('Acme opened its first school for robots in Elm Park on Monday');
    expect(digest?.text).toBe('The school of Acme has forty places for robots of any make.');
  });

  it('of an opinion section is quoted with its source', () => {
    const digest = writeDigest(
      [report('a', { title: 'The school deception', sourceName: 'Elm Park Post (Opinion)' })],
      options,
    );
    expect(digest?.title).toBe('Elm Park Post (Opinion): “The school deception”');
  });

  it('of a post without a usable sentence is quoted with its source', () => {
    const digest = writeDigest(
      [report('a', { isPost: true, title: 'Robots of Acme beat all others', text: 'Try it!' })],
      options,
    );
    expect(digest?.title).toBe('Source a: “Robots of Acme beat all others”');
    expect(digest?.text).toBe('');
  });

  it('without a usable sentence is not quoted when another owner confirms it', () => {
    const title = 'Acme opens a school for robots in Elm Park';
    const post = report('a', { title, text: 'Try it!' });
    const confirmed = report('b', {
      title: 'Robots at school',
      text: 'Watch now! The school for robots that Acme opens is in Elm Park!',
    });
    expect(writeDigest([post], options)?.title).toBe(`Source a: “${title}”`);
    expect(writeDigest([post, confirmed], options)?.title).toBe(title);
  });

  it('is quoted with the name of an account without the account', () => {
    const post = report('a', {
      sourceName: 'X：Ann Lin (@annlin)',
      title: 'Should robots go to school?',
    });
    expect(writeDigest([post], options)?.title).toBe('X：Ann Lin: “Should robots go to school?”');
  });

  it('is quoted with its source when the text has no usable sentence', () => {
    const digest = writeDigest(
      [report('a', { title: 'Let’s send robots to school now' })],
      options,
    );
    expect(digest?.title).toBe('Source a: “Let’s send robots to school now”');
  });

  it('that states the event precedes a title that judges the event', () => {
    const reports = [
      report('a', { title: 'Acme opens a school for robots in Elm Park', text }),
      report('b', { title: 'The shameful school that Acme opens in Elm Park', text, at: at + 9 }),
    ];
    expect(writeDigest(reports, options)?.title).toBe('Acme opens a school for robots in Elm Park');
  });

  it('of a report about an action precedes the newer title of an equally near comment', () => {
    const comment = 'A school for robots of Acme in Elm Park is a sensible and late idea.';
    const title = 'Acme in Elm Park: a sensible school for robots';
    const news = report('a', { title: 'Acme opens a school for robots in Elm Park', text });
    const view = report('b', { title, text: comment, at: at + 9 });
    expect(writeDigest([news, view], options)?.title).toBe(news.title);
    const stated = report('b', { title, text: `${comment.slice(0, -1)}, Acme said.`, at: at + 9 });
    expect(writeDigest([news, stated], options)?.title).toBe(title);
  });

  it('of a report precedes the titles of reviews, although most texts are reviews', () => {
    const news = report('a', {
      title: 'Acme ships Rivet 3 to customers',
      text: 'Acme said on Monday that Rivet 3 is available to all customers of its cloud.',
    });
    const views = ['b', 'c'].map((id) =>
      report(id, {
        title: 'Hands on with Rivet 3',
        text: 'Rivet 3 from Acme is a pleasure, and for once the release notes undersell it.',
        at: at + 9,
      }),
    );
    expect(writeDigest([news, ...views], options)?.title).toBe(news.title);
    expect(writeDigest(views, options)?.title).toBe('Source b: “Hands on with Rivet 3”');
  });

  it('stays when only the text of its report has an outdated figure', () => {
    const early = report('a', {
      title: 'Outage at Acme leaves users of Rivet waiting',
      text: 'An outage of 4 hours hit Rivet on Monday, Acme said.',
    });
    const late = report('b', {
      title: 'What broke at Acme on Monday',
      text: 'Correction: the outage of Rivet lasted 2 hours, not 4 hours as first reported.',
      at: at + HOUR_MS,
    });
    expect(writeDigest([early, late], options)).toMatchObject({
      title: early.title,
      text: 'The length of the outage is now 2 hours, first 4 hours, according to Source b.',
    });
  });

  it('of the report with the highest score precedes the newer title of an equally near one', () => {
    const news = report('a', { score: 40, title: 'Acme opens school in Elm Park', text });
    const newer = {
      title: 'Acme school opens in Elm Park',
      text: `${text} It is red.`,
      at: at + 9,
    };
    const titleOf = (score: number) =>
      writeDigest([news, report('b', { ...newer, score })], options)?.title;
    expect(titleOf(20)).toBe('Acme opens school in Elm Park');
    expect(titleOf(40)).toBe('Acme school opens in Elm Park');
  });
});

describe('a digest', () => {
  it('is null without reports', () => {
    expect(writeDigest([], options)).toBeNull();
  });

  it('joins a vague figure and an equal exact figure, and lists a lower bound separately', () => {
    const texts = [
      'Acme has raised about $75 million from Elm Park.',
      'Acme raised over $80 million in new funding from Elm Park.',
      'Acme raised $75 million, a filing of Elm Park shows.',
    ];
    const reports = texts.map((text, index) => report(`r${index}`, { text, at: at + index }));
    expect(writeDigest(reports, options)?.text).toContain(
      'Source r0 and Source r2 say about $75 million, Source r1 says over $80 million.',
    );
  });

  it('has the words of one report and a sentence for a contradiction', () => {
    const digest = writeDigest([other, raised], options);
    const contradiction =
      'Reports differ on the amount raised: Source a says $480 million, ' +
      'Source b says $360 million.';
    expect(digest).toEqual({
      title: 'Acme funding round led by Elm Park',
      titleReportId: other.id,
      latest: 'Acme funding round led by Elm Park',
      text:
        'Acme raised $360 million in new funding from Elm Park, a filing shows. ' + contradiction,
      language: 'en',
      sentences: [
        {
          text: 'Acme raised $360 million in new funding from Elm Park, a filing shows.',
          reportIds: ['b'],
        },
        { text: contradiction, reportIds: ['a', 'b'] },
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
      revisions: [],
      copies: [],
    });
  });

  it('begins with the newest figure and also states the first figure', () => {
    const cut = report('a', {
      title: 'Acme to cut 420 jobs',
      text: 'Acme will cut 420 jobs in its hardware business, it told staff on Monday.',
    });
    const now = report('b', {
      at: at + 2 * HOUR_MS,
      title: 'Acme to cut 530 jobs',
      text:
        'Acme will cut 530 jobs in its hardware business. ' +
        'Staff at all three sites were told on Monday. ' +
        'Correction: the number of jobs is 530, not 420 as first stated.',
    });
    const digest = writeDigest([cut, now], options);
    expect(digest?.title).toBe('Acme to cut 530 jobs');
    expect(digest?.contradictions).toEqual([]);
    expect(digest?.text).toBe(
      'Acme will cut 530 jobs in its hardware business. ' +
        'Staff at all three sites were told on Monday. ' +
        'The number of jobs cut is now 530, first 420, according to Source b.',
    );
  });

  it('is in the language of most reports and converts figures into it', () => {
    const zh = { language: 'zh-CN', title: 'Acme 完成新一轮融资' };
    const digest = writeDigest(
      [
        report('a', { ...zh, text: 'Acme宣布完成4.8亿美元新一轮融资。' }),
        report('b', { ...zh, text: 'Acme获得4.8亿美元融资，由榆园领投。' }),
        report('c', { text: 'Acme raised 360 million dollars in new funding.' }),
      ],
      options,
    );
    expect(digest?.language).toBe('zh');
    expect(digest?.sentences.at(-1)?.text).toBe(
      '关于融资金额，各方说法不一：Source a、Source b称4.8亿美元，Source c称3.6亿美元。',
    );
    // Lists show the figures in the site's language.
    expect(digest?.contradictions[0]).toMatchObject({
      subject: 'the amount raised',
      statements: [
        { value: '$480 million' },
        { value: '$480 million' },
        { value: '360 million dollars' },
      ],
    });
  });

  it('is in the language of the site when reports in other languages have only a title', () => {
    const news = report('c', { text: 'Acme raised $360 million on Monday, Elm Park said.' });
    const views = ['a', 'b'].map((id) =>
      report(id, { language: 'zh-CN', title: 'Acme融了3.6亿美元，凭什么？', text: '' }),
    );
    expect(writeDigest([...views, news], options)?.language).toBe('en');
    expect(writeDigest(views, options)?.language).toBe('zh');
  });

  it('has no sentence about a changed figure when the sentence would not name the company', () => {
    const early = report('a', {
      title: 'Acme buys Elm Park Tools',
      text: 'Acme said on Monday that it buys Elm Park Tools, which has 420 employees.',
    });
    const late = report('b', {
      title: 'Acme to buy Elm Park Tools',
      text: 'Correction: Elm Park Tools has 530 employees, not 420 as first stated.',
      at: at + HOUR_MS,
    });
    const digest = writeDigest([early, late], options);
    expect(digest?.revisions.map(({ current }) => current)).toEqual(['530']);
    expect(digest?.text).not.toMatch(/ is now /u);
  });

  it('prefers a publisher to a post and never speaks in the first person', () => {
    const firstPartyReport = report('z', {
      at: at + 9 * HOUR_MS,
      isFirstParty: true,
      title: 'Our new round',
      text: 'We have raised $480 million from Elm Park and others.',
    });
    const post = report('p', {
      isPost: true,
      at: at + 9 * HOUR_MS,
      text: 'Acme has raised $480 million in a round led by Elm Park, @elmpark says.',
    });
    const digest = writeDigest([raised, firstPartyReport, post], options);
    expect(digest?.sentences[0]).toEqual({
      text: 'Acme has raised $480 million in a round led by Elm Park.',
      reportIds: ['a'],
    });
  });

  it('keeps a comparison with the previous version', () => {
    const title = 'Acme Rivet 7.5 is available to all customers';
    const text =
      'Acme made Rivet 7.5 available to all customers of its cloud on Monday. ' +
      'The company says that replies come 48 percent faster than with Rivet 7.4.';
    expect(writeDigest([report('a', { title, text })], options)?.text).toBe(text);
  });

  it('prefers news in another language to the quoted title of a comment', () => {
    const comment = report('c', {
      language: 'zh',
      title: 'Acme融资这件事，到底意味着什么？',
      text: 'Acme这一轮钱来得真快。接下来就看怎么花了。',
    });
    const site = { siteLanguage: 'zh-CN', previous: null } as const;
    expect(writeDigest([comment, raised], site)).toMatchObject({
      title: raised.title,
      language: 'en',
    });
    const statement = report('d', { language: 'zh', title: 'Acme完成新一轮4.8亿美元融资' });
    expect(writeDigest([statement, raised], site)?.language).toBe('zh');
  });

  it.each([
    ['news', 'Acme has raised $480 million in a round led by Elm Park.'],
    ['a statement', 'Acme gets $480 million in new funding from Elm Park and two banks.'],
  ])('prefers %s in another language to a title that its own text does not support', (_, text) => {
    const notice = report('c', {
      language: 'zh',
      title: 'Acme完成新一轮4.8亿美元融资',
      text: '我们很高兴地告诉大家这个好消息！',
    });
    const digest = writeDigest([notice, report('d', { text })], {
      siteLanguage: 'zh-CN',
      previous: null,
    });
    expect(digest).toMatchObject({ title: raised.title, text, language: 'en' });
    expect(writeDigest([notice], options)?.title).toBe('Source c：“Acme完成新一轮4.8亿美元融资”');
  });

  it('prefers news in the language of the site to comments in the language of most reports', () => {
    const comments = ['c', 'd'].map((id) =>
      report(id, {
        title: 'Acme and its money, explained',
        text: 'Acme announced on Monday that it raised $480 million, and it needs all of it.',
      }),
    );
    const news = report('e', {
      language: 'zh',
      title: 'Acme获得4.8亿美元融资',
      text: 'Acme 11 月 16 日宣布完成 4.8 亿美元融资，由榆园领投。',
    });
    expect(
      writeDigest([...comments, news], { siteLanguage: 'zh-CN', previous: null }),
    ).toMatchObject({ title: news.title, language: 'zh' });
  });

  it('has no text when no sentence can stand alone', () => {
    const furniture = report('c', { text: 'You can change this at any time. Sign up now!' });
    expect(writeDigest([furniture], options)).toMatchObject({
      title: 'Source c: “Acme raises new funding from Elm Park”',
      text: '',
      sentences: [],
    });
  });

  it('contains no text of a removed report', () => {
    const before = writeDigest([raised, other], options);
    const after = writeDigest([raised], { siteLanguage: 'en', previous: before });
    expect(JSON.stringify(after)).not.toMatch(/360|filing|Source b|"b"/u);
    expect(after?.contradictions).toEqual([]);
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

  it.each(texts)('of %s gives a plain, bounded digest', (_, text) => {
    const firstReport = report('a', { text, title: text.slice(0, 5_000) });
    const digest = writeDigest(
      [firstReport, { ...firstReport, id: 'b', owner: 'another' }],
      options,
    );
    for (const sentence of digest?.sentences ?? []) {
      expect(sentence.text.length).toBeLessThanOrEqual(600);
      expect(sentence.text).not.toMatch(/<\/?[a-z]/u);
    }
  });
});
