// A report that never names who won, bought or was appointed according to the other, and names
// somebody else where it speaks of that: a part given to another name in whatever words.
import type { DigestReport } from '../digest.ts';
import { isCommonWord } from '../find-names.ts';
import { type Filler, isOneMatter, looseWords, type Swap } from './find-roles.ts';
import { readSentences, type Sentence, stretchOf } from './read-sentences.ts';
import { isChinese } from './words.ts';

/** A county lies in a state. */
const partOfAnother = /\b(?:county|district|province|state|township|parish|region)\b/u;
/** The title or the first sentence says it. */
const leadAt = 1;
const capital = "\\p{Lu}[\\p{L}&'-]*";
const latin = new RegExp(
  `(?<![\\p{L}'’])${capital}(?: (?:(?:of|de|van|al) )?${capital}){0,3}`,
  'gu',
);
const surnames =
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁' +
  '魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹' +
  '黎易常武乔贺赖龚文倪温费厉樊葛柳颜';
/** Whom a sentence is about, or what follows "it was". */
const person = new RegExp(
  `(?:^|[，。：；“]|的)(?<name>[${surnames}]\\p{sc=Han}{1,2}?)` +
    '(?=正在|站起|说|笑|走|接过|把|从|捧|凭)',
  'gu',
);
const chunk = new RegExp(
  '(?:的是|则是|正是|由|归了?|花落|落在|降落在|停在|将在|会在|交给了?|' +
    '(?<![不还也])是)(?![他她它我你这那两几])(?<name>\\p{sc=Han}{2,5}?)(' +
    '?=[，。、（]|科技|数据|资本|集团|机场|海关|敲|执导|手里|的一)',
  'gu',
);
const generic =
  /^(?:公司|科技|数据|集团|资本|国际|中国|机场|股份|有限|智能|大学|银行|研究|一家|一个|自己)$/u;

export type WithRoles = { readonly report: DigestReport; readonly roles: readonly Filler[] };

/** `isOfTwo`: of a story of two owners; the more reports, the more of them leave a name out. */
export function absentNames(
  { report, roles }: WithRoles,
  { report: other, roles: theirs }: WithRoles,
  isOfTwo: boolean,
): readonly Swap[] {
  // Names in two scripts are not compared.
  if (!isOfTwo || report.language !== other.language) return [];
  for (const a of roles) {
    const loose = looseWords(a.role);
    if (loose === null || a.mention.at > leadAt || isNamed(a.name, other)) continue;
    const filler = theirs.find((one) => one.role === a.role && !isNamed(one.name, report));
    const b = filler ?? standIn(a, report, other, loose);
    const isOther = b !== null && isOneMatter(a, b) && !partOfAnother.test(`${a.name}|${b.name}`);
    if (isOther) return [{ a, b, likeness: 0 }];
  }
  return [];
}

const textOf = ({ title, text }: DigestReport) =>
  `${title}\n${text}`.normalize('NFKC').toLowerCase();

/** Whether any word of a name, or pair of its characters, stands in the report. */
function isNamed(name: string, report: DigestReport): boolean {
  const text = textOf(report);
  const words = name.match(/[a-z0-9'-]{3,}/gu) ?? [];
  if (words.some((word) => !isCommonWord(word) && text.includes(word))) return true;
  const characters = [...name].filter((char) => /\p{sc=Han}/u.test(char));
  return characters.slice(1).some((char, at) => {
    const pair = `${characters[at]}${char}`;
    return !generic.test(pair) && text.includes(pair);
  });
}

function standIn(
  a: Filler,
  report: DigestReport,
  other: DigestReport,
  loose: Readonly<Record<'en' | 'zh', RegExp>>,
): Filler | null {
  const isHan = /\p{sc=Han}/u.test(a.name);
  for (const sentence of readSentences(other)) {
    const { text, isRecalled, isOld } = sentence;
    if (isRecalled || isOld || isChinese(text) !== isHan) continue;
    if (!loose[isHan ? 'zh' : 'en'].test(text)) continue;
    const place = namesOf(sentence, isHan).find(({ name }) => !isNamed(name, report));
    if (place === undefined) continue;
    const kind = `who-${a.role}`;
    return {
      role: a.role,
      name: place.name,
      mention: stretchOf(other, sentence, { ...place, kind }),
    };
  }
  return null;
}

type Place = { readonly name: string; readonly start: number; readonly end: number };

function namesOf({ cased }: Sentence, isHan: boolean): readonly Place[] {
  if (isHan) {
    return [...cased.matchAll(chunk), ...cased.matchAll(person)].flatMap((match) => {
      const name = match.groups?.name ?? '';
      const start = match.index + match[0].indexOf(name);
      return generic.test(name) ? [] : [{ name, start, end: start + name.length }];
    });
  }
  return [...cased.matchAll(latin)].flatMap((match) => {
    const [found] = match;
    // A capital at the beginning may be any word's.
    const isAny = match.index === 0 && !found.includes(' ');
    const name = found.replace(/'s$/u, '').toLowerCase();
    if (isAny || /^series /u.test(name) || days.test(found) || isCommonWord(name)) return [];
    return [{ name, start: match.index, end: match.index + found.length }];
  });
}

const days = new RegExp(
  '^(?:On |In |At |By )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|^(?' +
    ':On |In |By )?(?:January|February|March|April|May|June|July|August|' +
    'September|October|November|December)\\b',
  'u',
);
