// Recognizes a country when the source names only one of its places: a source about Oregon supports
// 美国. Only unambiguous places count.

type Country = { readonly names: readonly string[]; readonly evidence: RegExp };

const describeCountry = (names: string, latin: string, han: string): Country => ({
  names: names.split(', '),
  evidence: new RegExp(`(?<![a-z])(?:${latin})(?![a-z])|${han}`, 'u'),
});

/** All names and patterns are folded; `.` stands for an accented letter or an apostrophe. */
const countries: readonly Country[] = [
  describeCountry(
    'us, u.s., usa, america, american, americans, united states, 美国',
    'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|' +
      'florida|hawaii|idaho|' +
      'illinois|indiana|iowa|kansas|kentucky|louisiana|maryland|massachusetts|michigan|minnesota|' +
      'mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|' +
      'north carolina|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|' +
      'tennessee|texas|' +
      'utah|vermont|virginia|wisconsin|wyoming|los angeles|chicago|seattle|san francisco|' +
      'silicon valley|white house|pentagon',
    '加州|加利福尼亚|德克萨斯|得州|纽约|华盛顿|西雅图|旧金山|硅谷|白宫|五角大楼|俄勒冈|佛罗里达',
  ),
  describeCountry(
    'uk, u.k., britain, british, united kingdom, england, 英国',
    'london|england|scotland|wales|northern ireland|sussex|kent|essex|yorkshire|' +
      'lancashire|surrey|' +
      'cornwall|devon|norfolk|suffolk|manchester|birmingham|liverpool|leeds|bristol|' +
      'edinburgh|glasgow|' +
      'oxford|cambridgeshire|westminster|downing street',
    '伦敦|英格兰|苏格兰|威尔士|曼彻斯特|伯明翰|爱丁堡|牛津',
  ),
  describeCountry(
    'china, chinese, 中国',
    'beijing|shanghai|shenzhen|guangzhou|hangzhou|wuhan|chengdu|nanjing|tianjin|chongqing|ningbo|' +
      'suzhou|xi.an|qingdao|yuan|renminbi|rmb',
    '人民币|国务院|工信部|网信办|发改委|北京|上海|深圳|广州|杭州|武汉|成都|南京|天津|' +
      '重庆|宁波|苏州|' +
      '西安|青岛|亿元|万元|[省市]\\p{sc=Han}{0,3}[局厅委]',
  ),
  describeCountry(
    'germany, german, germans, 德国',
    'berlin|munich|hamburg|frankfurt|bavaria|bundestag',
    '柏林|慕尼黑|汉堡|法兰克福',
  ),
  describeCountry('france, french, 法国', 'paris|lyon|marseille|toulouse', '巴黎|里昂|马赛'),
  describeCountry('japan, japanese, 日本', 'tokyo|osaka|kyoto|yen', '东京|大阪|京都|日元'),
  describeCountry('south korea, korean, korea, 韩国', 'seoul|busan|won', '首尔|釜山|韩元'),
  describeCountry(
    'india, indian, 印度',
    'delhi|mumbai|bangalore|bengaluru|hyderabad|rupees?',
    '德里|孟买|班加罗尔|卢比',
  ),
  describeCountry(
    'canada, canadian, 加拿大',
    'toronto|ontario|montreal|vancouver|quebec|ottawa',
    '多伦多|蒙特利尔|温哥华|渥太华',
  ),
  describeCountry(
    'australia, australian, 澳大利亚, 澳洲',
    'sydney|melbourne|canberra|brisbane|queensland',
    '悉尼|墨尔本|堪培拉|澳元',
  ),
  describeCountry(
    'netherlands, dutch, holland, 荷兰',
    'amsterdam|rotterdam|utrecht|eindhoven|delft|the hague',
    '阿姆斯特丹|鹿特丹|海牙',
  ),
  describeCountry('italy, italian, 意大利', 'rome|milan|turin|naples', '罗马|米兰|都灵'),
  describeCountry('spain, spanish, 西班牙', 'madrid|barcelona|valencia|seville', '马德里|巴塞罗那'),
  describeCountry('norway, norwegian, 挪威', 'oslo|bergen|trondheim|stavanger', '奥斯陆|卑尔根'),
  describeCountry('sweden, swedish, 瑞典', 'stockholm|gothenburg|malm.', '斯德哥尔摩|哥德堡'),
  describeCountry(
    'switzerland, swiss, 瑞士',
    'zurich|geneva|basel|lausanne|bern',
    '苏黎世|日内瓦|洛桑',
  ),
  describeCountry('ireland, irish, 爱尔兰', 'dublin|cork|galway', '都柏林'),
  describeCountry('israel, israeli, 以色列', 'tel aviv|jerusalem|haifa', '特拉维夫|耶路撒冷'),
  describeCountry('brazil, brazilian, 巴西', 's.o paulo|rio de janeiro|bras.lia', '圣保罗|里约'),
];

/** True when `name` is a country that `text` mentions. Both are folded. */
export function isCountryIn(name: string, text: string): boolean {
  return countries.some(
    ({ names, evidence }) => names.includes(name) && isCountryNamed(names, evidence, text),
  );
}

/** True when the text has one of the country's places or names. */
function isCountryNamed(names: readonly string[], evidence: RegExp, text: string): boolean {
  if (evidence.test(text)) return true;
  return names.some((name) =>
    /\p{sc=Han}/u.test(name)
      ? text.includes(name)
      : name.length > 3 && new RegExp(`(?<![a-z])${name}(?![a-z])`, 'u').test(text),
  );
}
