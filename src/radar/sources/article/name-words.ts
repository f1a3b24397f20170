// Classifies an element by the words in its class, id and role: page furniture, caption, comments.
// It compares whole words, because "shareholders" is not a share bar.
import type { PageElement } from './dom.ts';

// Names of elements that are never article text, even when extractors keep them.
const furnitureNames = new Set(
  (
    'ad ads adv advert advertisement advertising advertorial affiliate outbrain taboola criteo ' +
    'avatar bio byline bylines breadcrumb breadcrumbs crumbs nav navbar navigation subnav menu ' +
    'submenu bottomnav masthead footer colophon copyright sidebar sidebars ' +
    'share shares sharing sharebar sharedaddy shariff addtoany addthis social sociable ' +
    'newsletter newsletters ' +
    'promo promos sponsor sponsored sponsors related relateds recirc recirculation recommended ' +
    'recommendation recommendations recommend popular trending mostread mostpopular morenews ' +
    'readmore readnext upnext onward taglist hashtags timestamp pubdate ' +
    'readtime readingtime pagination pager prevnext nextprev cookie cookies consent gdpr ' +
    'onetrust hamburger poll survey quiz skiplink noprint sronly pullquote pullquotes jwplayer ' +
    'xiangguan tuijian pinglun fenxiang'
  ).split(' '),
);

// Names that are often furniture and sometimes the article. Page builders call each paragraph a
// widget.
const softFurniture = new Set(
  (
    'author authors contributor contributors disclaimer license rail registration register ' +
    'donate donation contribute promotion partner partners similar tag tags keywords topics ' +
    'categories datetime dateline published paging privacy modal popup overlay lightbox tooltip ' +
    'toast dropdown widget widgets toolbar tools utility ratings rating vote votes feedback toc ' +
    'printonly print hidden invisible livechat chatbot teaser teasers'
  ).split(' '),
);

// A paywall element before the text is furniture. Many publishers use the same name for the text
// behind it.
const paywallNames = new Set(
  (
    'paywall regwall metering premium subscribe subscription subscriber signup signin login ' +
    'register barrier'
  ).split(' '),
);

// Two words together have a meaning that neither word has alone.
const furniturePairs = new Set([
  'most read',
  'most popular',
  'most viewed',
  'most shared',
  'read more',
  'read next',
  'read also',
  'also read',
  'see also',
  'up next',
  'more from',
  'more on',
  'more stories',
  'more news',
  'latest news',
  'latest stories',
  'top stories',
  'other stories',
  'side stories',
  'you may',
  'might like',
  'sign up',
  'log in',
  'sign in',
  'sr only',
  'visually hidden',
  'screen reader',
  'skip link',
  'skip to',
  'back to',
  'tag list',
  'post tags',
  'article tags',
  'entry tags',
  'post meta',
  'entry meta',
  'article meta',
  'story meta',
  'article info',
  'post info',
  'article header',
  'post date',
  'entry date',
  'article date',
  'publish date',
  'published date',
  'date published',
  'read time',
  'reading time',
  'follow us',
  'call to',
  'cta box',
  'comment count',
  'around web',
  'from web',
  'next article',
  'prev article',
  'next post',
  'prev post',
  'previous post',
  'post navigation',
  'article tools',
  'story tools',
  'jp relatedposts',
  'yarpp related',
  'pull quote',
  'link list',
  'links list',
  'qr code',
  'news letter',
  'author box',
  'author bio',
  'about author',
  'author info',
  'author card',
  'page tools',
  'list recommend',
]);

// "with-sidebar" and "comments-open" describe a neighbour or a state instead of the element.
const neighbourPrefixes = new Set(['with', 'has', 'no', 'without', 'not', 'is']);
const stateSuffixes = new Set([
  'enabled',
  'disabled',
  'open',
  'closed',
  'on',
  'off',
  'active',
  'ready',
]);

const captionWords = new Set([
  'caption',
  'captions',
  'figcaption',
  'imagecaption',
  'wpcaptiontext',
]);
const captionPairs = new Set([
  'caption text',
  'image credit',
  'photo credit',
  'image caption',
  'photo caption',
  'media caption',
  'picture caption',
  'img desc',
  'img descr',
  'image desc',
  'image copyright',
  'photo desc',
  'pic desc',
  'caption wrap',
]);

const commentWords = new Set(
  'comment comments commentlist commentarea disqus respond replies livefyre coral'.split(' '),
);
/** Words that may precede `comments` in a thread's name: `post-comments`, `fb-comments`. */
const threadPrefixes = new Set(
  'reader readers user users fb post article entry story hot all page section js wp the'.split(' '),
);

/** `postBody--wide story_text` → post, body, wide, story, text. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 1);
}

export type NameKind = 'furniture' | 'soft' | 'paywall' | 'comments' | 'caption' | 'plain';

/** The kind that the names of `element` indicate. */
export function kindByName(element: PageElement): NameKind {
  const kinds = new Set(namesOf(element).map(kindOfName));
  return kindOrder.find((kind) => kinds.has(kind)) ?? 'plain';
}

/** Order of precedence when the names of one element disagree. */
const kindOrder: readonly NameKind[] = ['caption', 'comments', 'furniture', 'paywall', 'soft'];

function kindOfName(name: string): NameKind {
  const words = wordsOf(name);
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  if (
    words.some((word) => captionWords.has(word)) ||
    pairs.some((pair) => captionPairs.has(pair))
  ) {
    return 'caption';
  }
  const roleWords = words.filter(
    (_, index) =>
      !neighbourPrefixes.has(words[index - 1] ?? '') && !stateSuffixes.has(words[index + 1] ?? ''),
  );
  const [first = '', second = ''] = roleWords;
  if (commentWords.has(first) || (threadPrefixes.has(first) && commentWords.has(second)))
    return 'comments';
  if (roleWords.some((word) => furnitureNames.has(word) || commentWords.has(word)))
    return 'furniture';
  if (pairs.some((pair) => furniturePairs.has(pair))) return 'furniture';
  if (roleWords.some((word) => paywallNames.has(word))) return 'paywall';
  return roleWords.some((word) => softFurniture.has(word)) ? 'soft' : 'plain';
}

/**
 * Each class is separate, so that words of two classes do not form a pair. Id and test ids follow.
 */
function namesOf(element: PageElement): readonly string[] {
  const classes = (element.getAttribute('class') ?? '').split(/\s+/).filter(isName);
  const otherNames = ['id', 'data-component', 'data-testid', 'data-qa', 'data-module', 'data-type']
    .map((name) => element.getAttribute(name) ?? '')
    .filter((value) => value !== '' && value.length < 60);
  return [...classes, ...otherNames];
}

/** Utility classes of CSS frameworks (`md:hidden`, `print:block`) do not name a role. */
function isName(text: string): boolean {
  return text !== '' && text.length < 80 && !/[:[\]()]/.test(text);
}

/** Two words together that name the element with the article's text. */
const bodyPairs = new Set([
  'article body',
  'article content',
  'article text',
  'article copy',
  'article main',
  'story body',
  'story content',
  'story text',
  'story copy',
  'entry content',
  'post content',
  'post body',
  'post text',
  'post entry',
  'content body',
  'body content',
  'body text',
  'body copy',
  'news content',
  'news text',
  'news body',
  'news detail',
  'detail content',
  'page content',
  'main content',
  'text content',
  'rich text',
  'art content',
  'art body',
  'content text',
  'content main',
  'content article',
  'blog content',
  'blog post',
  'single content',
  'field body',
  'available content',
  'main text',
  'gh content',
  'td content',
  'js content',
  'cnblogs post',
  'article detail',
  'article entry',
  'article inner',
  'content detail',
  'left content',
  'text body',
]);
const bodyWords = new Set(
  (
    'articlebody articlecontent articletext storybody storytext storycontent entrycontent ' +
    'postcontent postbody posttext bodytext bodycopy fulltext newsbody newstext contenttext ' +
    'hentry markdown prose articledetail'
  ).split(' '),
);

/** True when the names of `element` indicate article text. */
export function isNamedBody(element: PageElement): boolean {
  if (element.getAttribute('itemprop')?.includes('articleBody') === true) return true;
  return namesOf(element).some((name) => {
    const words = wordsOf(name);
    if (words.some((word) => bodyWords.has(word))) return true;
    return words.slice(1).some((word, index) => bodyPairs.has(`${words[index]} ${word}`));
  });
}
