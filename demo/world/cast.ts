// Defines the world's companies, places and people. Large worlds also have small companies, whose
// names are combined from syllables.
import { readFileSync } from 'node:fs';
import type { Random } from '../../src/kernel/crypto/random.ts';
import { pick, randomBetween } from './grammar.ts';
import type { Company, Pair, Person } from './world-model.ts';

export type Regulator = Pair & { readonly short: string; head: string; headZh: string };
/** `for`: the kind of model that the benchmark tests: `text`, `speech`, `picture` or `robot`. */
export type Benchmark = Pair & {
  readonly for: string;
  readonly what: string;
  readonly whatZh: string;
};
export type Analyst = { name: string; zh: string; firm: string; firmZh: string };

export type Places = {
  readonly cities: readonly (Pair & { readonly id: string })[];
  readonly regulators: readonly Regulator[];
  readonly courts: readonly Pair[];
  readonly benchmarks: readonly Benchmark[];
  readonly investors: readonly Pair[];
  readonly analysts: readonly Analyst[];
  readonly customers: readonly Pair[];
  readonly universities: readonly Pair[];
};

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`cast/${name}`, import.meta.url), 'utf8')) as T;
}

export const places = readJson<Places>('places.json');

export const principals: readonly Company[] = [
  ...readJson<Company[]>('companies-west.json'),
  ...readJson<Company[]>('companies-east.json'),
];

const prefixes: readonly [string, string][] = [
  ['Alder', '阿尔德'],
  ['Bram', '布拉姆'],
  ['Cald', '卡尔德'],
  ['Dow', '道'],
  ['Elm', '埃尔姆'],
  ['Farn', '法恩'],
  ['Gor', '戈'],
  ['Hest', '赫斯特'],
  ['Ivel', '艾维尔'],
  ['Kell', '凯尔'],
  ['Lorn', '洛恩'],
  ['Mard', '马德'],
  ['Norl', '诺尔'],
  ['Osk', '奥斯克'],
  ['Pend', '彭德'],
  ['Quen', '昆'],
  ['Rath', '拉思'],
  ['Sker', '斯克'],
  ['Tarl', '塔尔'],
  ['Ulv', '乌尔夫'],
  ['Wex', '韦克斯'],
  ['Yarl', '亚尔'],
];
const middles: readonly [string, string][] = [
  ['', ''],
  ['en', '恩'],
  ['is', '斯'],
  ['or', '尔'],
  ['ath', '瑟'],
];
const tails: readonly [string, string][] = [
  ['wick', '威克'],
  ['stow', '斯托'],
  ['mere', '米尔'],
  ['combe', '科姆'],
  ['ford', '福德'],
  ['by', '比'],
  ['thorpe', '索普'],
  ['holm', '霍姆'],
  ['leigh', '利'],
  ['garth', '加思'],
];
const companyFields = [
  ['apps', 'app', 'software start-up', '软件初创公司'],
  ['apps', 'agent', 'agent start-up', '智能体初创公司'],
  ['apps', 'tool', 'tools company', '工具软件公司'],
  ['lab', 'model', 'model start-up', '模型初创公司'],
  ['cloud', 'api', 'hosting company', '托管服务公司'],
] as const;
const productWords = 'Almanac Bobbin Cistern Dovecote Eaves Furlong Gimlet Hearth Inglenook Kiln'
  .concat(' Ladle Mullion Nosegay Oxeye Pantry Rafter Spindle Thimble Vellum Withy')
  .split(' ');
const firstNames: readonly [string, string][] = [
  ['Ada', '艾达'],
  ['Bertrand', '贝特朗'],
  ['Celia', '西莉亚'],
  ['Duncan', '邓肯'],
  ['Elspeth', '埃尔斯佩思'],
  ['Gideon', '吉迪恩'],
  ['Harriet', '哈丽雅特'],
  ['Ivo', '伊沃'],
  ['Jocasta', '乔卡斯塔'],
  ['Lionel', '莱昂内尔'],
];
const lastNames: readonly [string, string][] = [
  ['Orme', '奥姆'],
  ['Pask', '帕斯克'],
  ['Quayle', '奎尔'],
  ['Rudge', '拉奇'],
  ['Sarn', '萨恩'],
  ['Tew', '图'],
  ['Upjohn', '厄普约翰'],
  ['Vossing', '沃辛'],
  ['Brackley', '布拉克利'],
  ['Dunstable', '邓斯特布尔'],
];

/** `count` small companies with two products each; deterministic for the same random source. */
export function makeSmallCompanies(count: number, random: Random): readonly Company[] {
  const usedNames = new Set<string>(principals.map((company) => company.name));
  const companies: Company[] = [];
  while (companies.length < count) {
    const parts = [pick(prefixes, random), pick(middles, random), pick(tails, random)];
    const nameBase = parts.map((part) => part[0]).join('');
    const secondName = companies.length < 700 ? '' : ` ${pick(prefixes, random)[0]}`;
    const name = `${nameBase}${secondName}`;
    if (usedNames.has(name)) continue;
    usedNames.add(name);
    companies.push(makeSmallCompany(name, parts.map((part) => part[1]).join(''), random));
  }
  return companies;
}

function makeSmallCompany(name: string, zh: string, random: Random): Company {
  const [field, kind, description, whatZh] = pick(companyFields, random);
  const id = name.toLowerCase().replaceAll(' ', '-');
  const words = [pick(productWords, random), pick(productWords, random)];
  if (words[0] === words[1]) words.pop();
  const city = pick(places.cities, random);
  const [first, last] = [pick(firstNames, random), pick(lastNames, random)];
  const chief: Person = {
    name: `${first[0]} ${last[0]}`,
    zh: `${first[1]}·${last[1]}`,
    role: 'chief executive',
    roleZh: '首席执行官',
  };
  return {
    id,
    name,
    full: `${name} Systems`,
    zh,
    region: 'west',
    field,
    size: 1,
    city: city.id,
    what: description,
    whatZh,
    people: [chief],
    about: [`${name} was founded ${randomBetween(2, 6, random)} years ago in ${city.en}.`],
    aboutZh: [`${zh}总部位于${city.zh}。`],
    products: words.map((word) => ({
      id: `${id}-${word.toLowerCase()}`,
      name: `${name} ${word}`,
      zh: `${zh} ${word}`,
      kind,
      line: ['1', '2', '3'],
      about: `${word} is the main product of ${name}`,
      aboutZh: `${word}是${zh}的主要产品`,
    })),
  };
}
