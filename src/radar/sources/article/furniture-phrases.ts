// Phrases at the start or end of page furniture (text of a page that is not part of its article),
// in English and Chinese. Most apply only to short blocks, because an article's sentence can begin
// with them.

/** `alternatives` are separated by `|` or line breaks. White space around a line is ignored. */
function phrasePattern(before: string, alternatives: string, after = ''): RegExp {
  const parts = alternatives.split(/\n/).map((line) => line.trim().replace(/\|$/, ''));
  return new RegExp(`${before}(?:${parts.filter((part) => part !== '').join('|')})${after}`, 'iu');
}

/** First words of English furniture. */
export const openings = phrasePattern(
  '^',
  String.raw`
  more\s*: | read (?:more|also|next|now|the full)| also read| see also| keep reading|
  more (?:on|from|about|in|stories)\b| recommended| don['’]t miss|
  related(?: (?:articles?|stories|posts?|content|news|topics?|links?|reading|coverage))?\s*(?::|$)|
  you (?:may|might) (?:also )?(?:like|be interested)| up next| trending\b| top stories|
  most (?:read|popular|viewed)| latest (?:news|stories)| (?:next|previous) (?:article|story|post)|
  (?:story )?highlights$|
  watch(?: now| more| live)?\s*:| listen(?: now)?\s*:| video\s*:| photos?(?: by)?\s*:|
  photo(?:graph)? (?:by|credit|courtesy)|
  photograph\s*:| images?(?: (?:by|credit|source|courtesy))?\s*:|
  pictures?\s*:| credit\s*:| source\s*:\s*\S+$| getty images| reuters\/| ap photo|
  media playback is unsupported| image (?:copyright|caption)\b|
  advertisement| sponsored| story continues| article continues| continue reading|
  scroll (?:down )?(?:for|to)| (?:click|tap) (?:here|to)| download (?:our|the) app|
  get (?:our|the|your) (?:free )?(?:daily|weekly|newsletter|app|latest|morning)|
  sign up| subscribe| join (?:our|the|us)| follow (?:us|me|@|\w+(?: \w+)? on)| like us| find us|
  share (?:this|on|via|the)| tweet this| email this| print this| copy link|
  comments?\s*(?:\(|$)| \d+ (?:comments?|shares?|min(?:ute)?s? read|views)|
  leave a (?:comment|reply)| post a comment| view (?:all )?comments|
  join the (?:conversation|discussion)| (?:first |originally )?published(?: on| at)?\s*[:\d]|
  (?:last )?updated(?: on| at)?\s*[:\d]| posted (?:on|by|in|at)\b| filed under|
  (?:topics?|tags?|categor(?:y|ies)|keywords)\s*:|
  reporting by| editing by| writing by| additional reporting| our standards\s*:|
  loading\b| skip to| jump to| back to top| table of contents| enable javascript|
  accept (?:all )?cookies| we use cookies| have an? (?:story|tip)| got a tip| send (?:us )?tips|
  disclosure\s*:?\s*$| write to\b.*@| contact (?:us|the author)| email .*@`
    .replace(/ ?\| ?/g, '|')
    .replace(/^ +/gm, ''),
);

export const legal = phrasePattern(
  '',
  String.raw`
  ^copyright (?:©|\(c\)|\d{4}|by\b)|^©|^\(c\) \d{4}|^all rights reserved
  this material may not be published|may not be reproduced`,
);

export const chineseOpenings = phrasePattern(
  '^【?',
  String.raw`
  相关阅读|延伸阅读|推荐阅读|相关推荐|相关新闻|相关文章|热门推荐|猜你喜欢|更多(?:精彩|内容|新闻)
  往期|上一篇|下一篇|返回|分享(?:到|至)|微信扫|扫(?:码|一扫)|长按
  关注.{0,16}(?:公众号|微信|我们|视频号)|点击.{0,12}(?:阅读|查看|关注|下载|这里|蓝字)
  原文(?:链接|地址)|阅读原文|评论|发表评论|登录|注册|点赞|收藏|举报|打赏|赞赏
  打开APP|下载客户端`,
);

/** Credits and legal notices are furniture even as full sentences. */
export const chineseLegal = phrasePattern(
  '^【?',
  String.raw`
  (?:责任?编辑|责编|校对|审核|排版|图源|图片来源|题图|封面图?)\s*[丨|:：/／]
  (?:来源|作者|记者|编辑|编译|撰文|文)\s*[丨|:：/／]|图片：|原标题[:：]
  [(（]?(?:责任编辑|编辑|本文来源)[:：]|标签[:：]|关键词[:：]|声明[:：]|©
  版权(?:声明|所有)|免责声明|特别声明|未经.{0,10}(?:授权|许可)|转载(?:请|须|自)
  本文(?:来自|转自|首发|授权|系).{0,40}(?:授权|转载|公众号|作者|版权|不代表)|以上内容.{0,30}平台`,
);

export const byline = new RegExp(
  String.raw`^(?:by|words by|text by|story by|written by|reported by|from|author:)\s+` +
    String.raw`(?:\p{Lu}[\p{L}.'’-]+[\s,&|]*(?:and\s+)?){1,8}(?:\W.*)?$`,
  'u',
);

const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?';
const dayNumber = '(?:\\d{1,2}(?:st|nd|rd|th)?[\\s./-]+)?';
const monthName = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const dayAndYear = '[\\s./-]+(?:\\d{1,2})?(?:st|nd|rd|th)?,?[\\s./-]*\\d{0,4}';
const clock = '(?:[\\s|,·•at@-]*\\d{1,2}[:.]\\d\\d\\s*(?:[ap]\\.?m\\.?)?\\s*[A-Z]{0,4})?';

/** A line with only an English date, and optionally a time and "3 min read". */
export const dateLine = new RegExp(
  `^[\\W_]*${weekday}${dayNumber}${monthName}${dayAndYear}${clock}\\W*` +
    '(?:\\d+ min(?:ute)?s? read)?\\W*$',
  'i',
);

export const numericDateLine = new RegExp(
  String.raw`^(?:发布(?:时间|于)?|时间|日期|更新(?:时间|于)?|published|updated|posted)?` +
    String.raw`\s*[:：]?\s*` +
    String.raw`\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}\s*日?(?:\s*\d{1,2}:\d\d(?::\d\d)?)?` +
    String.raw`\W*(?:来源.{0,30}|阅读.{0,12})?$`,
  'i',
);

/** A photo credit at the end of a text. It identifies captions that have no class name. */
export const photoCredit = new RegExp(
  String.raw`\((?:ap )?(?:photo|photograph|image|picture|getty|file photo)s?\b[^()]{0,60}\)$|` +
    String.raw`\b(?:photo|photograph|image|picture)s?(?: credit)?\s*:\s*[^.:]{2,60}$|` +
    String.raw`(?:[/|–—]|©) ?(?:getty images|shutterstock|istock(?:photo)?|ap photo)[^.]{0,30}$`,
  'i',
);

/** Headings above text that is no longer part of the article. */
export const closing = phrasePattern(
  '^',
  String.raw`
  more\b|related\b|recommended|latest\b|popular|trending|most (?:read|popular|viewed)
  you (?:may|might)|read (?:more|next|also)|up next|comments?\b
  \d+ (?:comments?|responses?|thoughts)|leave a|newsletter|subscribe|sign up|follow us
  about (?:us|the author)|share\b|keep reading|don['’]t miss|top stories|editor['’]?s['’]? picks?
  相关|推荐|热门|更多|最新|评论|猜你喜欢|延伸阅读`,
);

const contactWords = /\b(contact|follow|e-?mail|reach|write to|tips?|questions?|subscribe)\b/i;
const addressPattern = /\S@\S+\.\w|(^|\s)@\w{3,}|\b(write to us|follow us)\b/i;
const offerVerbs = /^(download|get|install|try|join|sign up|subscribe)\b/i;
const offeredThings = /\b(app|newsletter|whatsapp|telegram|channel|updates)\b/i;

/** True for a call to action: "Contact the editors at …@…", "Download the app". */
export function isInvitation(text: string): boolean {
  return (
    (contactWords.test(text) && addressPattern.test(text)) ||
    (offerVerbs.test(text) && offeredThings.test(text))
  );
}
