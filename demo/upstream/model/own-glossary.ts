// Translates names of the world and common words of business news, for the demonstration's model
// servers.
import { places, principals } from '../../world/cast.ts';

type Pair = readonly [en: string, zh: string];

const words: readonly Pair[] = [
  ['launches', '发布'],
  ['launches', '推出'],
  ['releases', '上线'],
  ['raises', '融资'],
  ['funding round', '轮融资'],
  ['acquires', '收购'],
  ['sues', '起诉'],
  ['lawsuit', '诉讼'],
  ['ruling', '判决'],
  ['fines', '罚款'],
  ['fines', '处罚'],
  ['regulator', '监管'],
  ['outage', '宕机'],
  ['outage', '故障'],
  ['price cut', '降价'],
  ['prices', '价格'],
  ['benchmark', '评测'],
  ['benchmark', '基准'],
  ['hires', '任命'],
  ['hires', '加盟'],
  ['leaves', '离职'],
  ['chief executive', '首席执行官'],
  ['data centre', '数据中心'],
  ['chips', '芯片'],
  ['model', '模型'],
  ['robot', '机器人'],
  ['speech', '语音'],
  ['video', '视频'],
  ['image', '图像'],
  ['open source', '开源'],
  ['delays', '推迟'],
  ['recall', '召回'],
  ['investigation', '调查'],
  ['copyright', '版权'],
  ['safety', '安全'],
  ['power', '电力'],
  ['partnership', '合作'],
  ['developers', '开发者'],
  ['users', '用户'],
  ['tokens', '词元'],
  ['context window', '上下文'],
  ['valuation', '估值'],
  ['revenue', '营收'],
  ['layoffs', '裁员'],
  ['bankruptcy', '破产'],
  ['merger', '合并'],
  ['profit', '利润'],
  ['shares', '股份'],
  ['bonds', '债券'],
  ['contract', '合同'],
  ['accident', '事故'],
  ['fire', '火灾'],
];

const isPair = (pair: readonly [string | undefined, string | undefined]): pair is Pair =>
  pair[0] !== undefined && pair[1] !== undefined && pair[0] !== '' && pair[1] !== '';

const companyTerms = [
  ...principals.flatMap((company) => [
    [company.name, company.zh] as const,
    [company.short, company.shortZh] as const,
    ...company.people.map(({ name, zh }) => [name, zh] as const),
    ...company.products.map(({ name, zh }) => [name, zh] as const),
  ]),
  ...[places.cities, places.regulators, places.courts, places.benchmarks, places.investors].flatMap(
    (list) => list.map(({ en, zh }) => [en, zh] as const),
  ),
  ...[places.customers, places.universities].flatMap((list) =>
    list.map(({ en, zh }) => [en, zh] as const),
  ),
].filter(isPair);

/** Longest Chinese name first, so that it is replaced before a shorter name inside it. */
const byChinese = [...companyTerms, ...words].sort((a, b) => b[1].length - a[1].length);

/** A Chinese text in which known words are replaced by their English translations. */
export function translateToEnglish(text: string): string {
  let translated = text;
  for (const [en, zh] of byChinese) {
    if (translated.includes(zh)) translated = translated.replaceAll(zh, ` ${en} `);
  }
  return translated;
}

const verbs = new Set(
  'launches releases raises acquires sues fines hires leaves delays'.split(' '),
);

/** The English verb for the first known word in a Chinese text. */
export function findVerb(text: string): string | null {
  const matchedWords = words
    .map(([en, zh]) => ({ en, at: text.indexOf(zh) }))
    .filter(({ en, at }) => at >= 0 && verbs.has(en));
  return matchedWords.sort((a, b) => a.at - b.at)[0]?.en ?? null;
}

/** Names of the world that a text contains, each in both languages. */
export function findNames(text: string): readonly Pair[] {
  return companyTerms
    .filter(([en, zh]) => text.includes(en) || text.includes(zh))
    .map((pair) => ({ pair, at: Math.max(text.indexOf(pair[0]), text.indexOf(pair[1])) }))
    .sort((a, b) => a.at - b.at)
    .map(({ pair }) => pair);
}
