// Defines the common shape of a post for all platforms and providers. Unknown values are null; a
// zero means that the source counted zero.

export type PostMedia = {
  readonly type: 'video' | 'image';
  readonly url: string;
  /** Pixels. */
  readonly width: number | null;
  readonly height: number | null;
  readonly duration_seconds: number | null;
};

export type Post = {
  readonly id: string;
  readonly url: string;
  readonly type: 'video' | 'image' | 'text' | 'article';
  readonly title: string | null;
  readonly text: string | null;
  readonly author: {
    readonly id: string | null;
    readonly name: string | null;
    readonly url: string | null;
    readonly avatar_url: string | null;
  };
  /** RFC 3339, UTC. */
  readonly published_at: string | null;
  readonly media: readonly PostMedia[];
  readonly metrics: {
    readonly views: number | null;
    readonly likes: number | null;
    readonly comments: number | null;
    readonly shares: number | null;
    readonly favorites: number | null;
  };
  readonly tags: readonly string[];
  /** BCP 47. */
  readonly language: string | null;
};

const unknownAuthor: Post['author'] = { id: null, name: null, url: null, avatar_url: null };
const unknownMetrics: Post['metrics'] = {
  views: null,
  likes: null,
  comments: null,
  shares: null,
  favorites: null,
};

type PostDraft = Partial<Omit<Post, 'author' | 'metrics' | 'id' | 'url'>> & {
  readonly id: string;
  readonly url: string;
  readonly author?: Partial<Post['author']>;
  readonly metrics?: Partial<Post['metrics']>;
};

/** Creates a post; unknown fields become null. */
export function postOf(draft: PostDraft): Post {
  const { id, url, type = 'text', title = null, text = null, published_at = null } = draft;
  const { media = [], tags = [], language = null } = draft;
  const author = { ...unknownAuthor, ...draft.author };
  const metrics = { ...unknownMetrics, ...draft.metrics };
  return { id, url, type, title, text, author, published_at, media, metrics, tags, language };
}

/** Empty without a valid URL. */
export function mediaOf(
  type: PostMedia['type'],
  url: string | null | undefined,
  size: { width?: number | null; height?: number | null; seconds?: number | null } = {},
): PostMedia[] {
  if (!url || !/^https?:\/\//.test(url) || URL.parse(url) === null) return [];
  const positiveOrNull = (value: number | null | undefined) =>
    value && value > 0 && Number.isFinite(value) ? value : null;
  const { width, height, seconds } = size;
  return [
    {
      type,
      url,
      width: positiveOrNull(width),
      height: positiveOrNull(height),
      duration_seconds: positiveOrNull(seconds),
    },
  ];
}

/** The hashtags in a text, for platforms that do not list them. */
export function tagsIn(text: string | null): string[] {
  const tags = (text ?? '').matchAll(/#([\p{L}\p{N}_]{1,60})/gu);
  return [...new Set([...tags].map(([, tag]) => tag ?? ''))];
}
