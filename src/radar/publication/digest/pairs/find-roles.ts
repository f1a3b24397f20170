// Two reports that give one part to two names: who led a round, who was appointed, where a plant is
// built, who buys, whose chip is inside, who won. Only parts that one name can have are read.
import type { DigestReport } from '../digest.ts';
import { isCommonWord, sameMatter } from '../find-names.ts';
import { likeness } from './context.ts';
import type { Mention } from './read-mentions.ts';
import { readSentences, type Sentence, stretchOf } from './read-sentences.ts';
import { isChinese } from './words.ts';

type Role = { readonly name: string; readonly en: RegExp; readonly zh: RegExp };

const name =
  "(?<name>\\p{Lu}[\\p{L}\\p{N}&'.-]*(?: (?:of (?:the )?)?\\p{Lu}[\\p{L}\\p{N}&'.-]*){0,3})";
const han = '(?<name>[\\p{sc=Han}A-Za-z0-9·]{2,8}?)';
const sum =
  '(?:an?|the|its|their|this)?(?: ?(?:new|latest|fresh))?(?: ?[$€£]?[\\d.,]+ ?(?:m|mn|bn|k|million|billion)?\\b)?(?: (?:million|billion))?(?: (?:euro|dollar|pound)s?)?';
const round =
  '(?: (?:series [a-h]|seed|pre-seed|growth|funding|financing|venture))?(?: (?:round|series [a-h]|investment|funding|financing|seed))';
const office =
  '(?:(?:new|next|first|interim|its|the) )*(?:chief|ceo|cfo|cto|coo|head|president|chair\\w*|director|coach|minister|editor|boss|leader|manager|governor)';
const build =
  '(?:build|building|built|plant|factory|gigafactory|fab|site|campus|headquarter\\w*|hq|office|data cent(?:er|re)|facility|hub|held|host\\w*|conference|summit|take place|takes place|open|opens|locat\\w+|based|crash\\w*|put|go up|lab|laboratory)';
const part =
  '(?:chip|chipset|processor|battery|batteries|cells|sensor|engine|display|screen|model|modem|camera|accelerators?|gpus?|platform|cloud)';

const on = (pattern: string) => new RegExp(pattern, 'giu');

const roles: readonly Role[] = [
  {
    name: 'lead-investor',
    en: on(
      `\\b(?:co-?)?led by (?-i:${name})|(?-i:${name}) (?:has |have )?(?:led|leads|is leading|was leading) ${sum}${round}|(?-i:${name})-led\\b`,
    ),
    zh: on(`(?:由|，|。|^|\\s)${han}(?:独家)?领投|领投方(?:为|是)${han}(?=[，。,.;；]|$)`),
  },
  {
    name: 'appointed',
    en: on(
      `\\b(?:appoint(?:s|ed)?|nam(?:es|ed)|hir(?:es|ed)|pick(?:s|ed)|tap(?:s|ped)|chose|chosen|promot(?:es|ed)|elect(?:s|ed)) (?-i:${name}) (?:as |to be |to become |to (?:the )?)?${office}|(?-i:${name}) (?:will |is to |would |has )?(?:become|becomes|became|take over as|takes over as|took over as|been (?:named|appointed)|was (?:named|appointed)|is the new|as its new) (?:as )?${office}`,
    ),
    zh: on(
      `(?:任命|聘任|聘请|委任|提拔)${han}(?:为|担任|出任|接任)|(?:由|，|。|^)${han}(?:接任|出任|继任|接替)`,
    ),
  },
  {
    name: 'place',
    en: on(
      `\\b${build}\\b[^.;]{0,40}? (?:in|at|near|outside) (?-i:${name})|\\b(?:chosen|chose|picked|picks|selected|selects|chooses) (?-i:${name}) (?:as|for|to)\\b`,
    ),
    zh: on(
      `(?:落户|落地|选址|定址|坐落于?|位于|设在|落子)(?:于|在)?${han}(?=[市县区省镇州，。,；\\s]|新区|$)|在${han}[市县区省镇州](?:新建|建设|兴建|建|设立|投资|开工|举行|召开|开幕)|在${han}(?:举行|召开|开幕|举办)`,
    ),
  },
  {
    name: 'buyer',
    en: on(
      `(?-i:${name}) (?:has agreed to |agreed to |agrees to |is to |will |to |is |said it will |has )?(?:acquir(?:e|es|ed|ing)|buy|buys|bought|buying|snaps? up)\\b(?! (?:back|shares|more|up to|stock))|\\b(?:acquired|bought|purchased|taken over|sold to|snapped up) (?:by )?(?-i:${name})`,
    ),
    zh: on(
      `被${han}(?:以|全资|正式)?收购|出售给${han}(?=[，。,.;；]|$)|(?:^|，|。)${han}(?:集团|公司|科技)?(?:宣布|将|拟)?(?:以[^，。]{1,12})?(?:全资)?收购`,
    ),
  },
  {
    name: 'supplier',
    en: on(
      `\\b(?:powered by|uses?|using|runs on|running on|built on|carries|supplied by|sits|comes with|fitted with|equipped with|based on|relies on) (?:an? |the |its )?(?-i:${name})(?:'s)?(?: (?-i:[A-Z]\\w*))? ${part}`,
    ),
    zh: on(`(?:由|采用|搭载|使用|配备)${han}(?:供应|提供|的|电池|芯片|处理器|代工)`),
  },
  {
    name: 'seat',
    en: on(`\\b(?:headquartered|based) in (?-i:${name})|(?-i:${name})-based\\b`),
    zh: on(`总部(?:位于|设在|在)${han}(?=[市县区省的，。,；]|$)`),
  },
  {
    name: 'bound-for',
    en: on(
      `\\b(?:bound for|en route to|on (?:its|his|her|their|the) way to|head(?:ed|ing) (?:for|to)) (?-i:${name})`,
    ),
    zh: on(`(?:开往|飞往|驶往|前往)${han}(?=[的，。,；途]|$)`),
  },
  {
    name: 'winner',
    en: on(
      `(?-i:${name}) (?:beat|beats|defeated|defeats|edged(?: out)?|overcame|won (?:the|a|its|their|first|(?-i:\\p{Lu}))|wins (?:the|a|(?-i:\\p{Lu}))|clinched|lifted the|took (?:first|gold|the title))`,
    ),
    zh: on(
      `(?:^|，|。|,|中)${han}(?:队)?(?:以)?(?:\\d+(?:比|:)\\d+)?(?:战胜|击败|力克|险胜|淘汰|大胜|夺冠|夺得冠军|捧杯)`,
    ),
  },
  {
    name: 'institution',
    en: on(
      `\\b(?:researchers|scientists|engineers|economists|a team|teams?|astronomers|academics) (?:at|from|of) (?:the )?(?-i:${name})`,
    ),
    zh: on(
      `(?:^|，|。)${han}(?:大学|研究院|研究所|学院|实验室)(?:的)?(?:团队|研究人员|科研人员|研究团队)`,
    ),
  },
];

/** Whoever something was done by: the part is named by what was done. */
const byEn = new RegExp(
  `\\b(?<verb>\\p{Ll}{2,}(?:ed|en)|built|won|made|led|held|sold|run|shot) by (?:the )?(?:\\p{Ll}+ ){0,2}?${name}`,
  'gu',
);
const byZh = new RegExp(
  `由${han}(?<verb>发布|研发|开发|研制|制造|承建|设计|执导|导演|主演|编写|撰写|运营|主办|承办|举办|生产|出品|发起|牵头|主持|建设|审理|创办|创立)|` +
    `(?:，|,|。|^)${han}(?<verb>执导|主演|创办|创立)`,
  'gu',
);
/** Offices that one person holds. */
const offices =
  'chief executive|ceo|chairman|chairwoman|chair|judge|mayor|governor|coach|captain|skipper|pilot|prime minister|lead author|finance chief|cfo|founder';
const officeEn = on(
  `\\b(?<verb>${offices}) (?-i:${name})|` +
    `(?-i:${name}), (?:[a-z]+ ){0,2}?(?:the |its |a )?(?:[a-z]+'s )?(?<verb>${offices})\\b`,
);
const officeZh = new RegExp(
  '(?<verb>董事长|首席执行官|总经理|总裁|市长|院长|主教练|队长|船长|机长|法官|创始人|CEO|CFO)' +
    '(?<name>\\p{sc=Han}{2,4}?)(?=表示|称|说|在|于|宣布|认为|介绍|指出|透露|，|,|。|、|将|已|因)',
  'gu',
);
const partnerEn = new RegExp(
  `\\b(?<verb>partner|partnership|alliance|joint venture|merge|merger|tie-up|deal|contract|agreement)\\p{Ll}* with (?:the )?(?:\\p{Ll}+ ){0,2}?${name}`,
  'gu',
);
const partnerZh = new RegExp(
  `与${han}(?:集团|公司)?(?<verb>合作|签署|达成|联合|合资|合并|联手)`,
  'gu',
);

const open: readonly { readonly role: string; readonly en: RegExp; readonly zh: RegExp }[] = [
  { role: 'doer', en: byEn, zh: byZh },
  { role: 'holder', en: officeEn, zh: officeZh },
  { role: 'partner', en: partnerEn, zh: partnerZh },
];

export type Filler = {
  readonly role: string;
  /** Lower case. */
  readonly name: string;
  readonly mention: Mention;
};

/** What is only recalled is of something else. */
const background =
  /不久前|此前|早前|去年|\b(?:not long ago|recent weeks|earlier this|last (?:month|week|year)|previously|elsewhere)\b/u;

export function readRoles(report: DigestReport): readonly Filler[] {
  return readSentences(report).flatMap((sentence) =>
    sentence.isOld || background.test(sentence.text) ? [] : fillersIn(report, sentence),
  );
}

const notName =
  /^(?:it|he|she|they|we|the|this|that|which|who|its|ceo|series|monday|tuesday|wednesday|thursday|friday|saturday|sunday|europe|asia|africa|america|china|germany|france|japan|india|britain|us|uk|公司|该公司|两家|双方|其|旗下|多家|一家|本轮|机构|老股东|资本)$/u;

function fillersIn(report: DigestReport, sentence: Sentence): readonly Filler[] {
  const { cased } = sentence;
  const isHan = isChinese(sentence.text);
  const named = openFillers(report, sentence);
  const fixed = roles.flatMap(({ name: role, en, zh }) =>
    [...cased.matchAll(isHan ? zh : en)].flatMap((match): Filler[] => {
      const found = match.groups?.name ?? '';
      const plain = found.replace(/(?:'s|')$/u, '').toLowerCase();
      const isNone = plain === '' || notName.test(plain) || isCommonWord(plain);
      if (isNone || /(?:不|未|否认|可能|或将)/u.test(match[0])) return [];
      const start = match.index + match[0].indexOf(found);
      const stretch = { start, end: start + found.length, kind: `who-${role}` };
      return [{ role, name: plain, mention: stretchOf(report, sentence, stretch) }];
    }),
  );
  return [...fixed, ...named];
}

/** Parts that are named by a word of the sentence: `doer directed`, `holder mayor`. */
function openFillers(report: DigestReport, sentence: Sentence): readonly Filler[] {
  const isHan = isChinese(sentence.text);
  return open.flatMap(({ role, en, zh }) =>
    [...sentence.cased.matchAll(isHan ? zh : en)].flatMap((match): Filler[] => {
      const { name: found = '', verb = '' } = match.groups ?? {};
      const plain = found.replace(/(?:'s|'|[.])$/u, '').toLowerCase();
      if (plain === '' || notName.test(plain) || isCommonWord(plain)) return [];
      const start = match.index + match[0].indexOf(found);
      const stretch = { start, end: start + found.length, kind: `who-${role}` };
      const mention = stretchOf(report, sentence, stretch);
      return [
        { role: `${role} ${role === 'partner' ? '' : verb.toLowerCase()}`, name: plain, mention },
      ];
    }),
  );
}

export type Swap = { readonly a: Filler; readonly b: Filler; readonly likeness: number };

const isHanName = /\p{sc=Han}/u;
const leastLikeness = 0.22;
const leastShared = 2;

/** Parts that the reports give to different names, in sentences that are otherwise alike. */
export function swappedRoles(a: readonly Filler[], b: readonly Filler[]): readonly Swap[] {
  return [...new Set(a.map((filler) => filler.role))].flatMap((role) => {
    const [own, theirs] = [a, b].map((list) => list.filter((filler) => filler.role === role));
    if (own === undefined || theirs === undefined) return [];
    const isLone = own.length > 0 && theirs.length > 0;
    if (!isLone || own.some((one) => theirs.some((other) => isOneName(one.name, other.name))))
      return [];
    const pairs = own.flatMap((one) =>
      theirs.flatMap((other): Swap[] => {
        const { share, count } = likeness(one.mention, other.mention);
        // One office has one holder, whatever the sentences tell of them.
        // Nobody knows that 洛肯·马多克斯 is Lorcan Maddox.
        if (isHanName.test(one.name) !== isHanName.test(other.name)) return [];
        const isOffice = role.startsWith('holder') || role === 'seat';
        const isAlike = isOffice
          ? share >= 0.1 && count > 0
          : share >= leastLikeness && count >= leastShared;
        return isAlike && isOneMatter(one, other) ? [{ a: one, b: other, likeness: share }] : [];
      }),
    );
    const [best] = pairs.toSorted((x, y) => y.likeness - x.likeness);
    return best === undefined ? [] : [best];
  });
}

/** "Merrow" is "Merrow Labs", 青桐 is 青桐资本. */
function isOneName(a: string, b: string): boolean {
  const [first, second] = [a, b].map((one) => one.split(' ')[0] ?? '');
  return a.includes(b) || b.includes(a) || first === second;
}

const seat = /\bheadquarter|\bbased\b|总部/u;

/** A place is compared only where both sentences are of one company, and of its seat or neither. */
function isOneMatter(one: Filler, other: Filler): boolean {
  if (one.role !== 'place') return true;
  const [a, b] = [one.mention, other.mention];
  const isNamed = sameMatter(a.names || a.about, b.names || b.about);
  return isNamed && seat.test(a.sentence) === seat.test(b.sentence);
}

const labels: Readonly<Record<string, Readonly<Record<'en' | 'zh', string>>>> = {
  'who-lead-investor': { en: 'who led the round', zh: '领投方' },
  'who-appointed': { en: 'who was appointed', zh: '任命人选' },
  'who-place': { en: 'the place', zh: '地点' },
  'who-buyer': { en: 'who buys', zh: '收购方' },
  'who-supplier': { en: 'whose part is inside', zh: '供应方' },
  'who-seat': { en: 'where it is based', zh: '总部所在地' },
  'who-bound-for': { en: 'where it was bound for', zh: '目的地' },
  'who-winner': { en: 'who won', zh: '胜者' },
  'who-doer': { en: 'by whom it was done', zh: '由谁' },
  'who-holder': { en: 'who holds the office', zh: '任职者' },
  'who-partner': { en: 'the partner', zh: '合作方' },
  'who-institution': { en: 'where the researchers work', zh: '研究机构' },
};

/** What an attribute of a part is called; null for others. */
export const roleLabel = (name: string, language: 'en' | 'zh'): string | null =>
  labels[name.split(' ')[0] ?? '']?.[language] ?? null;
