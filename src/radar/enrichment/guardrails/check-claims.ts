// Finds advertising claims and calls to action that the source does not contain. Injected
// instructions mostly ask for such sentences.
import type { SourceText } from './source-text.ts';

const claimPattern = (english: string, chinese: string): RegExp =>
  new RegExp(`\\b(?:${english})\\b|${chinese}`, 'u');

/** Each pattern covers both languages, so a source in one language supports a text in the other. */
const claims: readonly RegExp[] = [
  claimPattern('fastest|quickest', '最快|速度第一'),
  claimPattern('largest|biggest|greatest', '最大|规模第一'),
  claimPattern('best|finest|unrivall?ed|unmatched|unbeatable', '最好|最佳|最优|最强|无与伦比'),
  claimPattern('strongest|most powerful|most capable|most advanced|smartest', '最强|最先进|最聪明'),
  claimPattern('cheapest|lowest[- ]priced', '最便宜|最低价'),
  claimPattern('most popular|most loved|most trusted|most accurate', '最受欢迎|最受信赖|最准确'),
  claimPattern(
    "world'?s (?:first|leading|only)|world-leading|industry-leading|number one|market leader",
    '全球首|世界首|全球第一|世界第一|行业第一|(?:全球|世界|行业|业界)领先|遥遥领先|首屈一指',
  ),
  claimPattern('revolutionary|groundbreaking|game[- ]chang(?:er|ing)', '革命性|颠覆性|划时代'),
  claimPattern('guaranteed?|risk-free|endorsed by|certified by', '保证收益|稳赚|零风险|官方认证'),
  claimPattern(
    '(?:readers?|users?|investors?|listeners?|customers?|everyone|you) ' +
      '(?:should|must|ought to|are (?:advised|urged|encouraged|invited) to)|' +
      '(?:subscribe|upgrade|order|buy|download|sign up|register|invest) (?:now|today|here)|' +
      "act now|don't miss|must-(?:read|have|buy)|highly recommended|recommends? (?:buying|readers)",
    '(?:建议|推荐|提醒|呼吁)(?:读者|用户|大家|投资者|听众|各位)|敬请|' +
      '欢迎(?:关注|下载|订阅|购买|试用)|' +
      '(?:立即|赶快|马上|尽快|今天就)(?:下单|购买|订阅|下载|注册|升级|买入)|不容错过|' +
      '强烈推荐|值得(?:购买|买入|入手)|(?:读者|大家|听众|用户)(?:应|应当|应该|可以?)' +
      '(?:关注|订阅|升级|购买|下载)',
  ),
];

/** Returns the claims that the source does not support; empty when it supports all claims. */
export function findUnsupportedClaims(folded: string, { text }: SourceText): readonly string[] {
  return claims.flatMap((claim) => {
    const match = claim.exec(folded)?.[0];
    return match === undefined || claim.test(text) ? [] : [match];
  });
}
