// Fills a template's slots for one event and one style: names first, then formatted figures.

import type { Random } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { places } from './cast.ts';
import { pick, type Slots } from './grammar.ts';
import { dayZh, type NumberStyle, showValue, weekdayEn } from './show-value.ts';
import type { Company, Facts, Lang, Person, WorldEvent } from './world-model.ts';

const kindNames: Readonly<Record<string, readonly [string, string]>> = {
  model: ['model', '模型'],
  'small-model': ['small model', '小模型'],
  'open-model': ['open model', '开源模型'],
  'image-model': ['image model', '图像模型'],
  'video-model': ['video model', '视频模型'],
  'speech-model': ['speech model', '语音模型'],
  'audio-model': ['music model', '音乐模型'],
  'robot-model': ['control model', '控制模型'],
  chip: ['accelerator', '加速卡'],
  robot: ['robot', '机器人'],
  device: ['device', '硬件'],
  app: ['application', '应用'],
  agent: ['agent', '智能体'],
  tool: ['tool', '工具'],
  api: ['developer platform', '开发者平台'],
  cloud: ['accelerator cloud', '加速卡云'],
};

export type Wording = {
  readonly lang: Lang;
  readonly notation: NumberStyle;
  /** Figures as this report states them. */
  readonly facts: Facts;
  /** Informal styles shorten names. */
  readonly isCasual: boolean;
};

export function slotsFor(event: WorldEvent, wording: Wording, random: Random): Slots {
  const { lang, notation, facts } = wording;
  const slots: Record<string, string> = {
    ...companySlots(event.company, wording, random),
    day: weekdayEn(event.at),
    date: random.next() < 0.75 ? dayZh(event.at) : `${new Date(event.at).getUTCDate()}日`,
    kind: kindOf(event, lang),
    customer: pick(places.customers, random)[lang],
    ...speakerSlots(event.company, lang, random),
    ...analystSlots(lang, random),
  };
  for (const [name, value] of Object.entries(facts)) slots[name] = showValue(value, lang, notation);
  if (facts.ago !== undefined && lang === 'en') slots.ago = `on ${slots.ago}`;
  return slots;
}

function kindOf(event: WorldEvent, lang: Lang): string {
  const names = kindNames[event.product?.kind ?? 'app'] ?? ['product', '产品'];
  return names[lang === 'en' ? 0 : 1];
}

function companySlots(company: Company, wording: Wording, random: Random): Slots {
  const city = requirePresent(
    places.cities.find((city) => city.id === company.city),
    `city ${company.city}`,
  );
  if (wording.lang === 'en') {
    const isShort = wording.isCasual && company.short !== undefined && random.next() < 0.6;
    return {
      co: isShort ? (company.short ?? company.name) : company.name,
      Co: random.next() < 0.5 ? company.full : company.name,
      what: company.what,
      city: city.en,
      ceo: company.people[0]?.name ?? '',
    };
  }
  const isShort = company.shortZh !== undefined && random.next() < (wording.isCasual ? 0.7 : 0.3);
  return {
    co: isShort ? (company.shortZh ?? company.zh) : company.zh,
    Co: company.zhFull ?? company.zh,
    what: company.whatZh,
    city: city.zh,
    ceo: company.people[0]?.zh ?? '',
  };
}

function speakerSlots(company: Company, lang: Lang, random: Random): Slots {
  const person: Person = pick(company.people, random);
  if (lang === 'zh') {
    return { p: person.zh, 'p.title': person.roleZh ?? '', 'p.last': person.zh };
  }
  const last = lastNameOf(person, company);
  const role = person.role ?? 'spokesperson';
  const phrases = [
    `said ${person.name}, ${role} of ${company.name}`,
    `${person.name}, the company's ${role}, said`,
    `said ${person.name}, ${company.name}'s ${role}`,
    `${role} ${person.name} said in a statement`,
  ];
  return { p: person.name, 'p.role': role, 'p.last': last, 'p.said': pick(phrases, random) };
}

/** In Chinese names the family name comes first. */
function lastNameOf(person: Person, company: Company): string {
  const parts = person.name.split(' ');
  return (company.region === 'east' ? parts[0] : parts.at(-1)) ?? person.name;
}

function analystSlots(lang: Lang, random: Random): Slots {
  const analyst = pick(places.analysts, random);
  return lang === 'en'
    ? { a: analyst.name, 'a.firm': analyst.firm }
    : { a: analyst.zh, 'a.firm': analyst.firmZh };
}
