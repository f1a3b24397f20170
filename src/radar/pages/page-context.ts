// Dependencies of every reader page: the publication, the site, and the layout.
import type { Assets } from '../../kernel/html/assets.ts';
import type { World } from '../../kernel/world.ts';
import type { Publication } from '../publication/open-publication.ts';
import type { HealthReader } from '../publication/source-health.ts';

export type PageSite = {
  /** Absolute, without a trailing slash; links within a page are paths. */
  readonly url: string;
  readonly name: string;
  readonly language: 'en' | 'zh-CN';
};

export type PageContext = {
  readonly world: World;
  readonly publication: Publication;
  readonly site: PageSite;
  readonly categories: readonly string[];
  /** The names of the categories for readers, by category id. */
  readonly labels: Readonly<Record<string, string>>;
  readonly assets: Assets;
  readonly health: HealthReader;
};

/** The parsed request. */
export type PageRequest = {
  readonly rawQuery: string;
  readonly params: Readonly<Record<string, string>>;
};

export type PageResponse = {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly body: string | Buffer;
  /** Additional response headers; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** The page has moved. The address is relative to this radar. */
export type PageRedirect = { readonly location: string };

export type PageRoute = {
  readonly path: string;
  readonly handle: (
    request: PageRequest,
  ) => PageResponse | PageRedirect | Promise<PageResponse | PageRedirect>;
};

export const PAGE_CACHE = 'public, max-age=60, s-maxage=60, stale-while-revalidate=60';
