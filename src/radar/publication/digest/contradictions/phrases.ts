// The words for scopes and units in both languages: one table, so that no internal name reaches a
// text. A unit that is absent here is written as a symbol.
import type { Scope } from '../digest.ts';

export type PhraseLanguage = 'en' | 'zh';
type Phrase = Readonly<Record<PhraseLanguage, string>>;

const phrase = (en: string, zh: string): Phrase => ({ en, zh });

/** Empty: the scope needs no words, because figures with it are never compared. */
export const scopePhrases: Readonly<Record<Scope, Phrase>> = {
  half: phrase('for the half-year', '半年'),
  'nine-months': phrase('for nine months', '前三季度'),
  q1: phrase('for the first quarter', '第一季度'),
  q2: phrase('for the second quarter', '第二季度'),
  q3: phrase('for the third quarter', '第三季度'),
  q4: phrase('for the fourth quarter', '第四季度'),
  quarter: phrase('for the quarter', '当季'),
  month: phrase('for the month', '当月'),
  year: phrase('for the year', '全年'),
  m1: phrase('for January', '1月'),
  m2: phrase('for February', '2月'),
  m3: phrase('for March', '3月'),
  m4: phrase('for April', '4月'),
  m5: phrase('for May', '5月'),
  m6: phrase('for June', '6月'),
  m7: phrase('for July', '7月'),
  m8: phrase('for August', '8月'),
  m9: phrase('for September', '9月'),
  m10: phrase('for October', '10月'),
  m11: phrase('for November', '11月'),
  m12: phrase('for December', '12月'),
  'of-profit': phrase('of profit', '利润'),
  'of-revenue': phrase('of revenue', '营收'),
  'of-users': phrase('of users', '用户'),
  'of-shares': phrase('of the share price', '股价'),
  'of-costs': phrase('of costs', '成本'),
  'of-shipments': phrase('of shipments', '出货量'),
  'of-traffic': phrase('of usage', '使用量'),
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
  cached: phrase('for cached input', '缓存输入'),
  input: phrase('for input', '输入'),
  output: phrase('for output', '输出'),
  pre: phrase('before the new money', '投前'),
  unit: phrase('of the unit', '该业务部门'),
  segment: phrase('of the business segment', '该业务'),
  phase: phrase('of the first phase', '一期'),
  top: phrase('of the top model', '顶配'),
  'add-on': phrase('of the accessory', '配件'),
  special: phrase('on special terms', '优惠'),
  region: phrase('in the region', '当地'),
  total: phrase('in total', '累计'),
  left: phrase('still remaining', '尚余'),
  part: phrase('in part', '部分'),
  past: phrase('earlier', '此前'),
  target: phrase('as a target', '目标'),
  talks: phrase('under discussion', '洽谈中'),
};

/** Units after a number. `format-value` formats currencies, durations and percentages. */
export const unitPhrases: Readonly<Record<string, Phrase>> = {
  points: phrase(' percentage points', '个百分点'),
  score: phrase(' points', '分'),
  times: phrase(' times', '倍'),
  tokens: phrase(' tokens', '词元'),
  rate: phrase(' a second', '每秒'),
  m: phrase(' metres', '米'),
  'm²': phrase(' square metres', '平方米'),
  kg: phrase(' kilograms', '公斤'),
  in: phrase(' inches', '英寸'),
  barrels: phrase(' barrels', '桶'),
  litres: phrase(' litres', '升'),
  magnitude: phrase(' magnitude', '级'),
};
