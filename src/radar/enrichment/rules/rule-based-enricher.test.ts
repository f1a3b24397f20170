import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Editorial } from '../editorial-files.ts';
import type { EnrichmentInput } from '../enricher.ts';
import { readEditorial } from '../read-editorial.ts';
import { openRuleBasedEnricher } from './rule-based-enricher.ts';

const folder = fileURLToPath(new URL('../../../../editorial', import.meta.url));
const editorial = await readEditorial(folder);
const enricher = openRuleBasedEnricher(editorial, { siteLanguage: 'en' });
const firstParty = { name: 'Orrery Labs', tier: 'T1', participation: 'editorial' } as const;

const lead =
  'Orrery Labs today releases Meridian-3 Pro, a language model with a context window ' +
  'of 2 million tokens.';
const release: EnrichmentInput = {
  title: 'Introducing Meridian-3 Pro | Orrery Labs 🚀',
  text: [
    lead,
    'It costs $2.50 per million input tokens, a third less than its predecessor.',
    'Subscribe to our newsletter for free updates.',
  ].join('\n'),
  summary: '',
  url: 'https://orrery.example/blog/meridian-3',
  language: 'en',
  source: firstParty,
};

test('turns a release into its public form', () => {
  expect(enricher.enrich(release)).toEqual({
    title: 'Orrery Labs introduces Meridian-3 Pro',
    originalTitle: 'Introducing Meridian-3 Pro | Orrery Labs 🚀',
    summary:
      'Orrery Labs releases Meridian-3 Pro, a language model with a context window of 2 million ' +
      'tokens. It costs $2.50 per million input tokens, a third less than its predecessor.',
    category: 'ai-models',
    score: expect.any(Number),
    isWorthy: true,
    reason: 'First-party release with a context length and a named version',
    summaryBy: 'rules',
  });
});

test("writes the reason in the site's language with the item's features", () => {
  const chinese = openRuleBasedEnricher(editorial, { siteLanguage: 'zh-CN' });
  expect(chinese.enrich(release).reason).toBe('官方发布，含上下文长度和具体版本');
});

const chineseLead =
  '奥瑞利实验室今天开源子午线 3 大模型，参数量为 320 亿，' + '支持 200 万 tokens 上下文。';

test('enriches a Chinese item', () => {
  const enrichment = enricher.enrich({
    ...release,
    title: '重磅！奥瑞利开源子午线 3 大模型 | 奥瑞利实验室',
    text: `${chineseLead}\n点击关注公众号。`,
    language: 'zh',
    source: { ...firstParty, name: '奥瑞利实验室' },
  });
  expect(enrichment).toEqual({
    title: '奥瑞利开源子午线 3 大模型',
    originalTitle: '重磅！奥瑞利开源子午线 3 大模型 | 奥瑞利实验室',
    summary: chineseLead.replace('今天', ''),
    category: 'ai-models',
    score: expect.any(Number),
    isWorthy: true,
    reason: 'First-party release with a context length and a model size',
    summaryBy: 'rules',
  });
});

test.each([
  ['Harbor raises $80M Series B led by Northlight Ventures', '', 'industry'],
  ['Towards sparse routers for language models', 'https://arxiv.org/abs/2611.01234', 'paper'],
  ['How to give an agent memory with one table', '', 'tip'],
  ['Why I stopped believing in benchmarks', '', 'opinion'],
  ['Pelican’s app can now fill in forms', '', 'ai-products'],
  ['Halden releases a 32B open-weight reasoning model', '', 'ai-models'],
  ['海登完成 5 亿元 B 轮融资', '', 'industry'],
  ['手把手教你用一块显卡部署本地大模型', '', 'tip'],
  ['智谱发布新一代多模态大模型', '', 'ai-models'],
])('assigns the category to: %s', (title, url, category) => {
  expect(enricher.enrich({ ...release, title, url, text: '' }).category).toBe(category);
});

test('content and a better source raise the score; offers and unrelated subjects lower it', () => {
  const scoreWith = (change: Partial<EnrichmentInput>) =>
    enricher.enrich({ ...release, ...change }).score;
  const baseScore = scoreWith({});
  expect(scoreWith({ source: { ...firstParty, tier: 'T2' } })).toBeLessThan(baseScore);
  expect(scoreWith({ text: '' })).toBeLessThan(baseScore);
  expect(scoreWith({ title: 'Save 40% on Meridian-3 Pro this weekend' })).toBeLessThan(baseScore);
  const unrelated = { text: 'The bakery in Porto opens at seven.', url: '' };
  expect(scoreWith({ ...unrelated, title: 'A bakery opens in Porto' })).toBeLessThan(
    baseScore - 30,
  );
});

test("only an editorial source's item is worthy, and only a worthy item has a reason", () => {
  for (const participation of ['signal', 'isolated'] as const) {
    const enrichment = enricher.enrich({ ...release, source: { ...firstParty, participation } });
    expect(enrichment).toMatchObject({ isWorthy: false, reason: null });
    expect(enrichment.score).toBe(enricher.enrich(release).score);
  }
  const unworthyEnrichment = enricher.enrich({
    ...release,
    title: 'Our office in spring',
    text: '',
  });
  expect(unworthyEnrichment).toMatchObject({ isWorthy: false, reason: null });
});

test('without text there is no category, no summary and no selection', () => {
  expect(enricher.enrich({ ...release, title: '', text: '', url: '' })).toEqual({
    title: '',
    originalTitle: null,
    summary: null,
    category: null,
    score: expect.any(Number),
    isWorthy: false,
    reason: null,
    summaryBy: 'rules',
  });
  expect(enricher.enrich({ ...release, title: '🔥🔥', text: '🔥' }).category).toBeNull();
});

test('enriches right-to-left text', () => {
  const text = 'أطلقت المختبرات اليوم نموذجا لغويا جديدا للمدارس في جميع أنحاء البلاد مجانا.';
  const enrichment = enricher.enrich({
    ...release,
    title: 'نموذج جديد للمدارس',
    text,
    language: 'ar',
  });
  expect(enrichment).toMatchObject({ title: 'نموذج جديد للمدارس', summary: text });
});

test.each(['a', 'word ', 'A ', '。', '中', '中文。', '(', 'U.S. ', '🔥', 'שלום ', '\n'])(
  'handles a hundred thousand characters in every field: %j',
  (unit) => {
    const longInput = unit.repeat(Math.ceil(100_000 / unit.length));
    const enrichment = enricher.enrich({
      ...release,
      title: longInput,
      text: longInput,
      summary: longInput,
      source: { ...firstParty, name: longInput },
    });
    expect(enrichment.title.length).toBeLessThanOrEqual(300);
    expect(enrichment.summary?.length ?? 0).toBeLessThanOrEqual(280);
  },
);

test('gives equal results for equal items, independent of earlier items', () => {
  const other = openRuleBasedEnricher(editorial, { siteLanguage: 'en' });
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(text, text, text, text, (title, body, summary, url) => {
      const input = { ...release, title, text: body, summary, url };
      const enrichment = enricher.enrich(input);
      expect(other.enrich(input)).toEqual(enrichment);
      expect(enrichment.score).toBeGreaterThanOrEqual(0);
      expect(enrichment.score).toBeLessThanOrEqual(100);
      expect(enrichment.reason === null).toBe(!enrichment.isWorthy);
      expect(enrichment.summary?.length ?? 0).toBeLessThanOrEqual(280);
    }),
  );
});

test('the version depends on rules, data and language', () => {
  const { scoring } = editorial;
  const otherScoring = { ...editorial, scoring: { ...scoring, bare: scoring.bare - 1 } };
  const versions = [
    enricher.version,
    openRuleBasedEnricher(editorial, { siteLanguage: 'zh-CN' }).version,
    openRuleBasedEnricher(otherScoring, { siteLanguage: 'en' }).version,
  ];
  expect(new Set(versions).size).toBe(3);
  expect(openRuleBasedEnricher(editorial, { siteLanguage: 'en' }).version).toBe(enricher.version);
});

const bilingual = (en: string, zh: string) => ({ en, 'zh-CN': zh });
const garden: Editorial = {
  categories: [
    { id: 'plants', label: bilingual('Plants', '植物'), about: 'What grows.' },
    { id: 'tools', label: bilingual('Tools', '工具'), about: 'What digs.' },
  ],
  titles: {
    prefixes: ['^green alert: '],
    suffixes: ['never$'],
    bracketTags: ['compost'],
    publishers: ['The Spade'],
    siteWords: ['garden'],
    shouts: ['GROW'],
  },
  sentences: {
    abbreviations: ['var'],
    trims: ['^mulch: '],
    drops: ['seed catalogue'],
    dependents: ['^it\\b'],
    followers: ['^the bed\\b'],
    weak: ['lovely'],
    talk: ['^dear'],
    stopwords: ['the'],
  },
  names: ['Rosa'],
  features: {
    plant: { in: 'title', en: ['rose*', 'tulip*'] },
    tool: { in: 'title', en: ['spade', 'rake'] },
    field: { in: 'visible', en: ['rose*', 'tulip*', 'spade', 'rake'] },
  },
  weights: {
    madeBy: 'hand',
    bias: { plants: 0.1 },
    learned: { plant: { plants: 2 }, tool: { tools: 2 } },
    given: {},
  },
  scoring: {
    leadFactor: 0.5,
    base: { T1: 50, T1_5: 45, T2: 40 },
    thresholds: { T1: 50, T1_5: 50, T2: 50 },
    categories: { plants: 5 },
    features: { plant: 5 },
    offField: { feature: 'field', points: { T1: -30, T1_5: -30, T2: -30 } },
    figure: { points: 0, most: 0 },
    name: { points: 0, most: 0 },
    length: { from: 1_000, points: 0, most: 0 },
    bare: 0,
  },
  reasons: {
    subjects: [{ category: 'plants', text: bilingual('A plant', '植物') }],
    details: [{ feature: 'plant', text: bilingual('a flower', '花') }],
    sentences: {
      none: bilingual('{subject}', '{subject}'),
      one: bilingual('{subject}, namely {first}', '{subject}：{first}'),
      two: bilingual('{subject}: {first}, {second}', '{subject}：{first}、{second}'),
    },
  },
};

test('a folder for another field works without code changes', () => {
  const gardener = openRuleBasedEnricher(garden, { siteLanguage: 'en' });
  const input = {
    ...release,
    title: 'Green alert: Roses [compost] bloom early | The Spade',
    text: 'Rosa var. alba flowered in March in the south. See our seed catalogue for more.',
  };
  expect(gardener.enrich(input)).toEqual({
    title: 'Roses bloom early',
    originalTitle: 'Green alert: Roses [compost] bloom early | The Spade',
    summary: 'Rosa var. alba flowered in March in the south.',
    category: 'plants',
    score: 60,
    isWorthy: true,
    reason: 'A plant, namely a flower',
    summaryBy: 'rules',
  });
  expect(gardener.enrich({ ...input, title: 'A rake with teeth' }).category).toBe('tools');
  expect(gardener.enrich({ ...release, title: 'GPT-9 is out', text: '' }).score).toBe(25);
});
