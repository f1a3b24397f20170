// The words for scopes and units in both languages: one table, so that no internal name reaches a
// text. A unit that is absent here is written as a symbol.
export type PhraseLanguage = 'en' | 'zh';
type Phrase = Readonly<Record<PhraseLanguage, string>>;

const phrase = (en: string, zh: string): Phrase => ({ en, zh });

const scopePhrases = {
  half: phrase('for the half-year', '半年'),
  'nine-months': phrase('for nine months', '前三季度'),
  q1: phrase('for the first quarter', '第一季度'),
  q2: phrase('for the second quarter', '第二季度'),
  q3: phrase('for the third quarter', '第三季度'),
  q4: phrase('for the fourth quarter', '第四季度'),
  quarter: phrase('for the quarter', '当季'),
  month: phrase('for the month', '当月'),
  year: phrase('for the year', '全年'),
  daily: phrase('a day', '每日'),
  weekly: phrase('a week', '每周'),
  monthly: phrase('a month', '每月'),
  paying: phrase('who pay', '付费'),
  registered: phrase('who are registered', '注册'),
  'per-million': phrase('per million tokens', '每百万词元'),
  'per-month': phrase('per month', '每月'),
  'per-year': phrase('per year', '每年'),
  'per-hour': phrase('per hour', '每小时'),
  'per-thousand': phrase('per thousand tokens', '每千词元'),
  unit: phrase('of the unit', '该业务部门'),
  region: phrase('in the region', '当地'),
  total: phrase('in total', '累计'),
  left: phrase('still remaining', '尚余'),
  part: phrase('in part', '部分'),
  past: phrase('earlier', '此前'),
  target: phrase('as a target', '目标'),
  talks: phrase('under discussion', '洽谈中'),
} satisfies Record<string, Phrase>;

/** Restricts the meaning of a figure. Figures with different scopes are never compared. */
export type Scope = keyof typeof scopePhrases | `m${number}`;

const monthNames = {
  en: new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }),
  zh: new Intl.DateTimeFormat('zh', { month: 'long', timeZone: 'UTC' }),
};

export function scopePhrase(scope: Scope, language: PhraseLanguage): string {
  if (scope in scopePhrases) return scopePhrases[scope as keyof typeof scopePhrases][language];
  const month = monthNames[language].format(Date.UTC(2026, Number(scope.slice(1)) - 1));
  return language === 'en' ? `for ${month}` : month;
}

/** Units after a number. `format-value` formats currencies, durations and percentages. */
export const unitPhrases: Readonly<Record<string, Phrase>> = {
  crown: phrase(' crowns', '克朗'),
  peso: phrase(' pesos', '比索'),
  px: phrase(' pixels', '像素'),
  points: phrase(' percentage points', '个百分点'),
  score: phrase(' points', '分'),
  times: phrase(' times', '倍'),
  tokens: phrase(' tokens', '词元'),
  rate: phrase(' tokens a second', '词元每秒'),
  m: phrase(' metres', '米'),
  'm/s': phrase(' metres a second', '米每秒'),
  'm²': phrase(' square metres', '平方米'),
  kg: phrase(' kilograms', '公斤'),
  in: phrase(' inches', '英寸'),
  barrels: phrase(' barrels', '桶'),
  litres: phrase(' litres', '升'),
  magnitude: phrase('', '级'),
};
