// Writes posts of the demonstration's companies, which other files render in the format of each
// platform. Posts, counts and authors are invented, and the same at every start.
import { createHash } from 'node:crypto';
import { principals } from '../world/cast.ts';
import type { Company } from '../world/world-model.ts';

export type DemoPost = {
  readonly number: number;
  readonly company: Company;
  readonly handle: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** Epoch seconds. */
  readonly at: number;
  readonly seconds: number;
  readonly views: number;
  readonly likes: number;
  readonly comments: number;
  readonly shares: number;
  readonly favorites: number;
  readonly language: 'en' | 'zh';
};

export type Language = DemoPost['language'];

const firstPostAt = Date.UTC(2026, 5, 1, 9) / 1000;

const postTexts: Readonly<
  Record<Language, readonly ((company: Company, product: string) => string)[]>
> = {
  en: [
    ({ name }, product) => `A first look at ${product} from ${name}`,
    ({ name }, product) => `${name} explains how ${product} is tested`,
    ({ name }, product) => `Questions and answers about ${product}, with ${name}`,
    (_, product) => `${product} in ninety seconds`,
  ],
  zh: [
    ({ zh }, product) => `${zh}带你初看${product}`,
    ({ zh }, product) => `${zh}讲解${product}的测试方法`,
    ({ zh }, product) => `关于${product}，${zh}回答大家的问题`,
    (_, product) => `九十秒看懂${product}`,
  ],
};

/** All posts in one language, newest first. */
export function demoPosts(language: Language): readonly DemoPost[] {
  const posts = principals.flatMap((company, companyIndex) =>
    company.products.slice(0, 2).map((product, productIndex) => {
      const number = companyIndex * 2 + productIndex;
      const name = language === 'zh' ? (product.zh ?? product.name) : product.name;
      const formatTitle = postTexts[language][number % postTexts[language].length];
      const title = formatTitle?.(company, name) ?? name;
      const description = language === 'zh' ? product.aboutZh : product.about;
      const tags = language === 'zh' ? [company.zh, '人工智能'] : [slugOf(company.name), 'ai'];
      const count = (purpose: string, modulus: number) =>
        hashToNumber(`${number} ${purpose}`) % modulus;
      return {
        number,
        company,
        title,
        tags,
        language,
        handle: slugOf(company.name),
        text: language === 'zh' ? `${title}。${description}。` : `${title}. ${description}.`,
        at: firstPostAt + number * 37_000,
        seconds: 30 + count('seconds', 300),
        views: 1_000 + count('views', 900_000),
        likes: 50 + count('likes', 40_000),
        comments: count('comments', 3_000),
        shares: count('shares', 2_000),
        favorites: count('favorites', 5_000),
      };
    }),
  );
  return posts.toReversed();
}

/** Posts that contain the keyword, ignoring case. */
export function findMatching(posts: readonly DemoPost[], keyword: string): readonly DemoPost[] {
  const lowerKeyword = keyword.toLowerCase();
  return posts.filter(({ text }) => text.toLowerCase().includes(lowerKeyword));
}

const idMakers = {
  douyin: (number: number) => makeDigits(`dy ${number}`, 19),
  xiaohongshu: (number: number) =>
    createHash('sha256').update(`xhs ${number}`).digest('hex').slice(0, 24),
  kuaishou: (number: number) => `3x${makeLetters(`ks ${number}`, 13).toLowerCase()}`,
  bilibili: (number: number) => `BV1${makeLetters(`bv ${number}`, 9)}`,
  weibo: (number: number) => makeDigits(`wb ${number}`, 16),
  zhihu: (number: number) => makeDigits(`zh ${number}`, 9),
  wechatChannels: (number: number) => makeDigits(`wx ${number}`, 20),
  tiktok: (number: number) => makeDigits(`tt ${number}`, 19),
  youtube: (number: number) => makeLetters(`yt ${number}`, 11),
  twitter: (number: number) => makeDigits(`x ${number}`, 19),
  instagram: (number: number) => makeLetters(`ig ${number}`, 11),
} as const;

/** The id of the post on the platform. */
export const idOf = (platform: keyof typeof idMakers, { number }: DemoPost): string =>
  idMakers[platform](number);

let numberById: ReadonlyMap<string, number> | null = null;

function numberOf(id: string): number | undefined {
  numberById ??= new Map(
    demoPosts('en').flatMap(({ number }) =>
      Object.values(idMakers).map((makeId) => [makeId(number), number] as const),
    ),
  );
  return numberById.get(id);
}

/** The post of an id. Every id has a post, except a few that were deleted. */
export function postFor(id: string, language: Language): DemoPost | null {
  const posts = demoPosts(language);
  const postNumber = numberOf(id);
  if (postNumber !== undefined) return posts.find((post) => post.number === postNumber) ?? null;
  if (/(?:0404|gone)/i.test(id)) return null;
  return posts[hashToNumber(id) % posts.length] ?? null;
}

export function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '');
}

/** A stable number of 31 bits for a text. */
export function hashToNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) >>> 1;
}

/** A made-up id of `length` digits, without a leading zero. */
export function makeDigits(text: string, length: number): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const digits = (BigInt(`0x${hash}`) % 10n ** BigInt(length - 1)).toString();
  return `7${digits.padStart(length - 1, '0')}`;
}

/** A made-up id of letters and digits. */
export function makeLetters(text: string, length: number): string {
  const hash = createHash('sha256').update(text).digest('base64url').replace(/[-_]/g, 'x');
  return hash.slice(0, length);
}
