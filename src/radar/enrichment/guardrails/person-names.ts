// Finds Chinese names of persons, companies and institutions by position: after an office or a
// trade, or before a verb of speech. In these positions, even two common characters are a name.

/** Without surnames that are more often other words: 于, 向, 曾, 方, 任. */
const surnames =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭林高罗郑梁谢宋唐韩冯邓曹彭肖田董袁潘蒋蔡余杜叶程苏魏吕丁沈姚卢' +
  '姜崔钟谭陆汪范金石廖贾夏韦付白邹孟熊秦邱江尹薛闫雷侯龙史陶黎贺顾郝龚邵严覃武戴莫孔汤欧康文樊' +
  '葛邢乔伍庞颜倪庄聂章鲁岳翟殷詹申耿兰焦俞左柳甘祝';
const excludedNames =
  '周[一二三四五六日天末初边]|马上|高[调度级]|金融|石油|白天|文件|余下|左右|史上|武汉|江苏';
const offices =
  '首席[\\p{sc=Han}]{2,3}官|总裁|董事长|创始人|总经理|经理|教授|博士|总监|主任|院长|议员|' +
  '部长|局长|处长|市长|省长|校长|会长|秘书长|律师|法官|发言人|代表|研究员|分析师|工程师|' +
  '负责人|作者|导演|记者|' +
  '专家|学者|医生|教师|老师|司机|投资人|店主|老板|员工|居民|村民|农户|家长|导师|[茶药电车客]商';
const trades =
  '发行商|开发商|运营商|制造商|供应商|承包商|经销商|服务商|代工厂|母公司|子公司|' +
  '初创公司|创业公司|' +
  '竞争对手|对手|投资方|领投方|合作方|合作伙伴|客户';
const speechVerbs =
  '表示|称|说|认为|指出|透露|介绍|宣布|担心|提醒|回应|强调|坦言|承认|告诉|警告|' +
  '补充|解释|预计|否认|领投|跟投';

const personPattern = new RegExp(
  `(?:${offices})((?!${excludedNames})[${surnames}]\\p{sc=Han}{1,2})` +
    `(?=${speechVerbs}|[，。、；（)]|$)`,
  'gu',
);
const companyPattern = new RegExp(
  `(?:${trades})(?!${offices})([\\p{sc=Han}]{2,6})(?=${speechVerbs})`,
  'gu',
);

const institutionTypes = '(?:大学|学院|医院|研究院|研究所)';
/** Two characters before the type of institution identify the institution. */
const institutionPattern = new RegExp(
  `(\\p{sc=Han}{2}${institutionTypes})的?` +
    '(?=教授|博士|研究员|研究人员|团队|专家|学者|校长|院长|主任)',
  'gu',
);

/** Returns the names in such positions, as written. */
export function findNamesByPosition(text: string): readonly string[] {
  return [personPattern, companyPattern, institutionPattern].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  );
}

const institutionEnding = new RegExp(`${institutionTypes}$`, 'u');

/**
 * False for an institution and a text in Latin script, because institutions have different names in
 * each language.
 */
export const isComparableWith = (name: string, text: string): boolean =>
  !institutionEnding.test(name) || /\p{sc=Han}{4}/u.test(text);
