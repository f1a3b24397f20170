// Finds products with their versions, also unknown products. A version is a small number without a
// unit after a name, which has a capital or is in ideographs. "Atlas Write 2.5" and "墨笔2.5" are
// versions; "May 5", "降价5元" and "Only 20% left" are not.

export type Version = { readonly family: string; readonly version: string };

const number = String.raw`(?:[vV](?:ersion)?[\s.]*)?(?<n>\d{1,2}(?:\.\d{1,2}){0,2})`;
const unit =
  String.raw`(?![\d%‰:/]|\.\d|,\d|\s*(?:%|percent|per cent|k\b|m\b|b\b|bn\b|tn\b|million|billion|` +
  'trillion|thousand|hundred|dozen|years?|months?|weeks?|days?|hours?|minutes?|seconds?|people|' +
  'jobs|times|points?|dollars?|yuan|euros?|am\\b|pm\\b|st\\b|nd\\b|rd\\b|th\\b|' +
  '[年月日号时分秒点个人名家次倍元块亿万千百十岁届期季轮种款项条场度米台件页位篇]|' +
  '小时|分钟|美元|美金|欧元|英镑|人民币|瓦|周|天))';
/** Letters with a case. A name can follow ideographs directly, because these have no case. */
const cased = String.raw`\p{Lu}\p{Ll}\p{Lt}`;
const latin = new RegExp(
  String.raw`(?<![${cased}\p{N}])(?<name>\p{Lu}[${cased}\p{N}+&]*)[\s\p{Pd}]*${number}${unit}`,
  'gu',
);
const han = new RegExp(String.raw`(?<name>\p{sc=Han}{2,})\s*${number}${unit}`, 'gu');
const notFamilies = new Set(
  (
    'monday tuesday wednesday thursday friday saturday sunday january february march april may ' +
    'june july august september october november december jan feb mar apr jun jul aug sep sept ' +
    'oct nov dec day week month year part chapter section volume no top about nearly over only ' +
    'just almost around the a in on at for of by and or to from with up under below above more ' +
    'some all these those its their his her our my if when after before q page round stage'
  ).split(' '),
);
const hanFunctionWords = /[的了在是和与及将为对也有被从到等称已后前中上下至达约仅近超共第每]$/u;

/** `text` keeps its case. Returns distinct versions in order. */
export function findVersions(text: string): readonly Version[] {
  if (!/\d/u.test(text)) return [];
  const versions = new Map<string, Version>();
  const add = (family: string, version: string) => {
    versions.set(`${family}/${version}`, { family, version: version.replace(/\.0$/u, '') });
  };
  for (const { groups } of text.matchAll(latin)) {
    const family = (groups?.name ?? '').toLowerCase();
    if (!notFamilies.has(family)) add(family, groups?.n ?? '');
  }
  for (const { groups } of text.matchAll(han)) {
    const name = groups?.name ?? '';
    // The start of a name in a run of ideographs is unknown, so its last two ideographs identify
    // it.
    if (!hanFunctionWords.test(name)) add(name.slice(-2), groups?.n ?? '');
  }
  return [...versions.values()].slice(0, 8);
}
