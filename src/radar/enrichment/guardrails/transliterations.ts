// The characters of Chinese transliterations of foreign names.

/** Words rarely have three of these characters in a row. */
const transliterationCharacters =
  '阿埃艾安奥巴贝比伯布查达黛德蒂登迪丁多厄恩尔法菲费芬弗福盖戈格古哈海赫亨胡霍基吉加贾杰金' +
  '卡凯坎科克肯库夸拉莱兰朗劳勒雷里丽利林隆卢鲁伦罗洛马玛迈曼梅门蒙米莫默姆穆纳娜奈内尼娘诺' +
  '努欧帕潘佩彭皮普奇契乔切琼丘萨塞桑森沙莎舍圣施什史斯丝苏索塔泰坦汤特提廷图托瓦万威韦维温' +
  '沃乌武西希锡夏肖谢辛休雅亚扬耶伊因英尤约赞泽扎詹珍兹佐';
export const transliterationRun = new RegExp(`[${transliterationCharacters}]{3,}`, 'gu');
const transliterationOnly = new RegExp(`^[${transliterationCharacters}]+$`, 'u');

export const isTransliterationOnly = (word: string): boolean => transliterationOnly.test(word);
