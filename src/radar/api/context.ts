// Dependencies of all endpoints of the public API: the publication and the radar's settings.
import type { World } from '../../kernel/world.ts';
import type { Publication } from '../publication/open-publication.ts';
import type { PermanentRedirect, ResponseContent } from './responses/cached-response.ts';
import type { ItemRenderer, Site } from './wire-item.ts';

export type ApiContext = {
  readonly world: World;
  readonly publication: Publication;
  readonly site: Site;
  readonly items: ItemRenderer;
  /** Permitted values of the parameter `category`. */
  readonly categories: readonly string[];
  /** Labels of categories in the site's language. */
  readonly labels: Readonly<Record<string, string>>;
  /** The readers' pages; null when this server has no pages. */
  readonly pages: Pages | null;
};

/** The parts of the readers' pages that the server needs. */
export type Pages = {
  readonly routes: readonly {
    readonly path: string;
    readonly handle: (
      request: PublicRequest,
    ) => ResponseContent | PermanentRedirect | Promise<ResponseContent | PermanentRedirect>;
  }[];
  /** Immutable assets: a changed file has another path. */
  readonly assets: readonly (ResponseContent & { readonly path: string })[];
  /** Renders the page of a failed request. */
  readonly problem: (problem: PageProblem) => ResponseContent;
};

export type PageProblem = {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly inChinese: string | null;
  readonly requestId: string;
};

/** A parsed request line. */
export type PublicRequest = {
  /** Raw query without its question mark. */
  readonly rawQuery: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
};
