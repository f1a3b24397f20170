// What is no part of an article's text even where every extractor keeps it: the headline again,
// bylines and dates, invitations to read, share, follow and subscribe, link-only lines, and what
// trails after the last sentence.
import type { Block } from './page-text.ts';
import { endsSentence, essence, linkShare, wordCount } from './prose.ts';

const short = 30;

// Each is furniture only as the start of a short block.
const openings =
  /^(more\s*:|read (more|also|next|now|the full)|also read|see also|more (on|from|about|in|stories)\b|related( (articles?|stories|posts?|content|news|topics?|links?|reading|coverage))?\s*(:|$)|recommended|you (may|might) (also )?(like|be interested)|don['’]t miss|watch( now| more| live)?\s*:|listen( now)?\s*:|video\s*:|photos?( by)?\s*:|photo(graph)? (by|credit|courtesy)|image(s)?( (by|credit|source|courtesy))?\s*:|pictures?\s*:|credit\s*:|source\s*:\s*\S+$|getty images|reuters\/|ap photo|advertisement|sponsored|story continues|article continues|continue reading|scroll (down )?(for|to)|click (here|to)|tap (here|to)|download (our|the) app|get (our|the|your) (free )?(daily|weekly|newsletter|app|latest|morning)|sign up|subscribe|join (our|the|us)|follow (us|me|@|\w+( \w+)? on)|like us|find us|share (this|on|via|the)|tweet this|email this|print this|comments?\s*(\(|$)|\d+ (comments?|shares?|min(ute)?s? read|views)|leave a (comment|reply)|post a comment|view (all )?comments|join the (conversation|discussion)|(first |originally )?published( on| at)?\s*[:\d]|(last )?updated( on| at)?\s*[:\d]|posted (on|by|in|at)\b|filed under|topics?\s*:|tags?\s*:|categor(y|ies)\s*:|keywords\s*:|copyright\b|©|\(c\) \d{4}|all rights reserved|reporting by|editing by|writing by|additional reporting|our standards\s*:|this material may not be|loading\b|most (read|popular|viewed)|trending\b|top stories|latest (news|stories)|up next|next (article|story|post)|previous (article|story|post)|skip to|jump to|back to top|table of contents|enable javascript|accept (all )?cookies|we use cookies|have (a|an) (story|tip)|got a tip|send (us )?tips|disclosure\s*:?\s*$|write to\b.*@|contact (us|the author)|email .*@)/i;

const legal =
  /^(copyright\b|©|\(c\) \d{4}|all rights reserved)|this material may not be published|may not be reproduced/i;

const chineseOpenings =
  /^(【?(相关阅读|延伸阅读|推荐阅读|相关推荐|相关新闻|相关文章|热门推荐|猜你喜欢|更多(精彩|内容|新闻)|往期|上一篇|下一篇|返回)|(责任?编辑|责编|校对|审核|排版|图源|图片来源|图片：|题图|封面图?|来源|作者|记者|编辑|编译|撰文|文)\s*[丨|:：/／]|\(?(责任编辑|编辑|本文来源)|分享(到|至)|微信扫|扫(码|一扫)|长按|关注.{0,16}(公众号|微信|我们|视频号)|点击.{0,12}(阅读|查看|关注|下载|这里|蓝字)|版权(声明|所有)|免责声明|特别声明|声明[:：]|未经.{0,10}(授权|许可)|转载(请|须|自)|本文(来自|转自|首发|授权|系).{0,40}(授权|转载|公众号|作者|版权|不代表)|原标题|原文(链接|地址)|阅读原文|评论|发表评论|登录|注册|点赞|收藏|举报|打赏|赞赏|标签[:：]|关键词[:：]|打开APP|下载客户端|以上内容|©)/;

const byline =
  /^(by|words by|text by|story by|written by|reported by|from|author:)\s+(?:[\p{Lu}][\p{L}.'’-]+[\s,&|]*(?:and\s+)?){1,8}(\W.*)?$/u;
const dateLine =
  /^[\W_]*((mon|tues?|wed(nes)?|thur?s?|fri|sat(ur)?|sun)(day)?\.?,?\s+)?(\d{1,2}(st|nd|rd|th)?[\s./-]+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[\s./-]+\d{1,2}?(st|nd|rd|th)?,?[\s./-]*\d{0,4}([\s|,·•at@-]*\d{1,2}[:.]\d\d\s*([ap]\.?m\.?)?\s*[A-Z]{0,4})?\W*(\d+ min(ute)?s? read)?\W*$/i;
const numericDateLine =
  /^(发布(时间|于)?|时间|日期|更新(时间|于)?|published|updated|posted)?\s*[:：]?\s*\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}\s*日?(\s*\d{1,2}:\d\d(:\d\d)?)?\W*(来源.{0,30}|阅读.{0,12})?$/i;

export type RuleContext = {
  /** The page's headline, as `essence`. */
  readonly title: string;
};

/** Whether `block` is furniture by its own text and links. */
export function isFurniture(block: Block, context: RuleContext): boolean {
  const { text, element } = block;
  const words = wordCount(text);
  const own = essence(text);
  if (own === '') return true;
  if (context.title.length > 8 && (own === context.title || isTitleWithSite(own, context.title))) {
    return true;
  }
  if (legal.test(text) && words < 60) return true;
  if (/^\d+$/.test(text) && element.closest('pre, td') !== null) return true;
  if (words > short) return false;
  if (openings.test(text) && (!endsProse(text, words) || linkShare(element) > 0.3)) return true;
  if (chineseOpenings.test(text)) return true;
  if (isInvitation(text)) return true;
  if (byline.test(text) && words <= 16) return true;
  if (dateLine.test(text) || numericDateLine.test(text)) return true;
  return isLinkLine(block, words);
}

/** "Contact the desk at …", "Download the app": an address or a product, and what to do with it. */
function isInvitation(text: string): boolean {
  const asks = /\b(contact|follow|e-?mail|reach|write to|tips?|questions?|subscribe)\b/i;
  if (asks.test(text) && /\S@\S+\.\w|(^|\s)@\w{3,}|\b(write to us|follow us)\b/i.test(text))
    return true;
  return /^(download|get|install|try|join|sign up|subscribe)\b.*\b(app|newsletter|whatsapp|telegram|channel|updates)\b/i.test(
    text,
  );
}

const closing =
  /^(more\b|related\b|recommended|latest\b|popular|trending|most (read|popular|viewed)|you (may|might)|read (more|next|also)|up next|comments?\b|\d+ (comments?|responses?|thoughts)|leave a|newsletter|subscribe|sign up|follow us|about (us|the author)|share\b|keep reading|don['’]t miss|top stories|editor['’]?s['’]? picks?|相关|推荐|热门|更多|最新|评论|猜你喜欢|延伸阅读)/i;

/**
 * Ends the article at a heading such as "More stories" that stands outside its text's element: what
 * follows there is of the page. Inside that element the article may well go on.
 */
export function cutAtClosing(blocks: readonly Block[]): readonly Block[] {
  const home = blocks.find((b) => wordCount(b.text) >= 12)?.element.parentElement ?? null;
  if (home === null) return blocks;
  const end = blocks.findIndex(
    (b, index) =>
      index > 0 &&
      /^H[2-6]$/.test(b.element.closest('h2, h3, h4, h5, h6')?.tagName ?? '') &&
      closing.test(b.text) &&
      wordCount(b.text) <= 6 &&
      blocks.slice(index).every(({ element }) => element.parentElement !== home),
  );
  const kept = end === -1 ? blocks : blocks.slice(0, end);
  return kept.reduce((sum, b) => sum + wordCount(b.text), 0) >= minArticleWords ? kept : blocks;
}

const minArticleWords = 25;

function isTitleWithSite(own: string, title: string): boolean {
  return own.startsWith(title) && own.length < title.length + 20;
}

/** A real sentence of some length: "More on this is expected on Monday, the minister said." */
function endsProse(text: string, words: number): boolean {
  return words >= 12 && endsSentence(text);
}

/** A line that is only a link, and no heading: in an article that is a way out of it. */
function isLinkLine(block: Block, words: number): boolean {
  const { element, text } = block;
  if (/^H[1-6]$/.test(element.tagName) || element.closest('h1, h2, h3, pre, td, th') !== null) {
    return false;
  }
  if (linkShare(element) < 0.8) return false;
  // A sentence may well be one link; a list of references is one entry for each line.
  return words < 25 && !(words >= 8 && /[.!?。！？]$/.test(text));
}

/**
 * Drops what stands before the first sentence and after the last one and is no heading of theirs,
 * and headings that nothing follows.
 */
export function trimEnds(blocks: readonly Block[]): readonly Block[] {
  const isProse = (b: Block) => {
    const words = wordCount(b.text);
    return words >= 12 || (words >= 3 && endsSentence(b.text));
  };
  const first = blocks.findIndex(isProse);
  const last = blocks.findLastIndex(isProse);
  if (first === -1) return blocks;
  const kept = blocks.filter((b, index) => {
    if (index < first) return isHeading(b) && wordCount(b.text) >= 2 && index >= first - 2;
    if (index > last) return isListed(b);
    return true;
  });
  const end = kept.findLastIndex((b) => !isHeading(b));
  return end === -1 ? kept : kept.slice(0, end + 1);
}

function isHeading(block: Block): boolean {
  return block.element.closest('h2, h3, h4, h5, h6') !== null;
}

/** The last items of a list, table or listing belong to it, however short. */
function isListed(block: Block): boolean {
  const { element } = block;
  if (linkShare(element) >= 0.5) return false;
  if (element.closest('li, pre, dd, blockquote') !== null) return true;
  // Cells of a table with headers; without any it is how old pages were laid out.
  return element.closest('table')?.querySelector('th') != null;
}
