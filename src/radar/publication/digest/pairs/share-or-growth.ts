// "Up 59 percent" and "59 percent of sales" are two things, though the numbers are the same.
import type { Mention } from './mention.ts';

const shareAfter = /^ (?:of|from) |^[^，。,.;]{0,3}的(?:收入|营收|销售额|利润|订单|用户|客户)/u;
const shareBefore = /(?:占比?|贡献了?|比例|份额)[^，。,.;]{0,8}$/u;
const growthBefore = new RegExp(
  '(?:\\b(?:up|down|rose|rises|grew|grows|jumped|climbed|gained|fell|f' +
    'alls|dropped|declined|increased|rising|falling) (?:by |another |abo' +
    'ut |nearly )?|同比|环比|增长|增幅|上升|下降|上涨|下跌|[增涨跌降]了?' +
    ')[约近达]?$',
  'u',
);
const growthAfter =
  /^ (?:more|less|fewer|higher|lower|growth|yoy|year[- ]on[- ]year|increase|decline|rise)\b/u;

const isShare = ({ sentence, start, end }: Mention) =>
  shareAfter.test(sentence.slice(end)) || shareBefore.test(sentence.slice(0, start));
const isGrowth = ({ sentence, start, end }: Mention) =>
  growthBefore.test(sentence.slice(0, start)) || growthAfter.test(sentence.slice(end));

/** Whether the one is surely a share and the other surely a growth. */
export function isShareAndGrowth(a: Mention, b: Mention): boolean {
  if (a.kind !== 'percent') return false;
  return (isShare(a) && isGrowth(b) && !isShare(b)) || (isGrowth(a) && isShare(b) && !isShare(a));
}
