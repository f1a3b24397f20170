// Rewrites a first party's title in the third person: "Today we are releasing Halyard 5.2" on
// Orrinfell's own page becomes "Orrinfell is releasing Halyard 5.2". A later "our" becomes "its".
import { trimDay } from '../../language/write-lead.ts';

export type SubjectInput = {
  readonly title: string;
  readonly sourceName: string;
  readonly isFirstParty: boolean;
};

const siteWords = new RegExp(
  '[\\s:：|·-]*(?:newsroom|news|notes|(?:research )?blog|press|official|updates?|engineering|' +
    '官方|博客|动态|新闻|公告|资讯|官网)+\\s*$',
  'iu',
);

/** The company in a source's name: "Orrinfell" for "Orrinfell Newsroom". */
export function companyOf(sourceName: string): string {
  const name = sourceName.split(/[|｜:：]/u)[0]?.trim() ?? '';
  const shortName = name.replace(siteWords, '').trim();
  return shortName === '' ? name : shortName;
}

type Rewrite = readonly [pattern: RegExp, replacement: string];

/** `%` stands for the company. Verbs in the past tense need no other form. */
const openingRewrites: readonly Rewrite[] = [
  [/^we(?:['’]re| are) /iu, '% is '],
  [/^we(?:['’]ve| have) /iu, '% has '],
  [/^we(?:['’]ll| will) /iu, '% will '],
  [/^we (?=(?:built|made|cut|raised|won|set|put|sold|found|can|may|\p{Ll}+ed)\b)/iu, '% '],
  [/^introducing /iu, '% introduces '],
  [/^announcing /iu, '% announces '],
  [/^launching /iu, '% launches '],
  [/^releasing /iu, '% releases '],
  [/^welcoming /iu, '% welcomes '],
  [/^presenting /iu, '% presents '],
  [/^our /iu, '%’s '],
  [/^(?:我们|我司)的/u, '%的'],
  [/^(?:我们|我司)/u, '%'],
];

const innerRewrites: readonly Rewrite[] = [
  [/(?<=\s)our(?=\s)/gu, 'its'],
  [/(?<=\s)us(?=\s|$)/gu, '%'],
  [/我们的/gu, '其'],
  [/我们/gu, '%'],
];

/** Rewrites a first party's title that contains "we" or lacks the company's name. */
export function nameSubject({ title, sourceName, isFirstParty }: SubjectInput): string {
  const company = companyOf(sourceName);
  if (!isFirstParty || company === '') return title;
  const undatedTitle = trimDay(title);
  const rewrite = openingRewrites.find(([pattern]) => pattern.test(undatedTitle));
  const withoutOpening =
    rewrite === undefined
      ? undatedTitle
      : undatedTitle.replace(rewrite[0], rewrite[1].replace('%', company));
  const result = innerRewrites.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement.replace('%', company)),
    withoutOpening,
  );
  const isProduct = /^\p{Lu}[\p{L}-]* ?[\d.]+(?: \p{L}+)?$/u.test(result);
  const isNamed = result.toLowerCase().includes(company.toLowerCase());
  return isProduct && !isNamed ? `${company}: ${result}` : result;
}
