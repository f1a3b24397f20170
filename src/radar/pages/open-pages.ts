// Every page of the radar with its address. The pages read the publication only.
import { ASSET_CACHE_CONTROL, openAssets } from '../../kernel/html/assets.ts';
import { pageSecurity } from '../../kernel/html/page.ts';
import { transportSecurity } from '../../kernel/http/transport-security.ts';
import { openSourceHealth } from '../publication/source-health.ts';
import { aboutPage } from './about.ts';
import { agentPage } from './agent.ts';
import { disagreementsPage } from './disagreements.ts';
import { frontPage } from './front-page.ts';
import { hotPage } from './hot.ts';
import { itemPage } from './item.ts';
import { latestPage } from './latest.ts';
import { iconRoutes } from './manifest.ts';
import type { PageContext, PageRedirect, PageResponse, PageRoute } from './page-context.ts';
import { openPainter, type Painter } from './pictures/paint.ts';
import { renderReportImage, renderStoryImage } from './pictures/share-image.ts';
import { problemPage } from './problem-page.ts';
import { problemTypePage } from './problem-type.ts';
import { reportPage } from './report/report.ts';
import { reportNames } from './report/report-key.ts';
import { savedPage } from './saved.ts';
import { searchPage } from './search.ts';
import { sourcePage, sourcesPage } from './sources.ts';
import { storyPage } from './story/story.ts';

const kernelAssets = new URL('../../kernel/html/assets/', import.meta.url);

function openReaderAssets() {
  return openAssets({
    'serif.woff2': new URL('serif.woff2', kernelAssets),
    'icon.svg': new URL('icon.svg', kernelAssets),
    'page.css': new URL('page.css', kernelAssets),
    'theme.js': new URL('assets/theme.js', import.meta.url),
    'keys.js': new URL('keys.js', kernelAssets),
    'reader.js': new URL('assets/reader.js', import.meta.url),
    'search.js': new URL('assets/search.js', import.meta.url),
    'story.js': new URL('assets/story.js', import.meta.url),
    'copy.js': new URL('copy.js', kernelAssets),
  });
}

function listRoutes(context: PageContext, paint: Painter): readonly PageRoute[] {
  return [
    { path: '/', handle: (request) => frontPage(context, request) },
    { path: '/latest', handle: (request) => latestPage('/latest', context, request) },
    { path: '/all', handle: (request) => latestPage('/all', context, request) },
    { path: '/disagreements', handle: (request) => disagreementsPage(context, request) },
    { path: '/saved', handle: () => savedPage(context) },
    { path: '/sources', handle: () => sourcesPage(context) },
    { path: '/sources/:id', handle: (request) => sourcePage(context, request) },
    ...iconRoutes(context, paint),
    { path: '/search', handle: (request) => searchPage(context, request) },
    { path: '/hot', handle: (request) => hotPage(context, request) },
    { path: '/stories/:id', handle: (request) => storyPage(context, request) },
    ...reportNames.flatMap((name): readonly PageRoute[] => [
      { path: `/${name}`, handle: (request) => reportPage(name, context, request) },
      { path: `/${name}/:key`, handle: (request) => reportPage(name, context, request) },
      {
        path: `/pictures/${name}/:file`,
        handle: (request) => renderReportImage(name, context, paint, request),
      },
    ]),
    { path: '/items/:id', handle: (request) => itemPage(context, request) },
    {
      path: '/pictures/stories/:file',
      handle: (request) => renderStoryImage(context, paint, request),
    },
    { path: '/agent', handle: () => agentPage(context) },
    { path: '/about', handle: () => aboutPage(context) },
    { path: '/problems/:code', handle: (request) => problemTypePage(context, request) },
  ];
}

/** All pages as the HTTP server needs them: with security headers, assets and failure pages. */
export function openPages(deps: Omit<PageContext, 'assets' | 'health'>) {
  const assets = openReaderAssets();
  const health = openSourceHealth(deps.world, deps.publication);
  const context = { ...deps, assets, health };
  const security = () => ({ ...pageSecurity, ...transportSecurity(context.site.url) });
  const withSecurity = (response: PageResponse | PageRedirect) =>
    'location' in response
      ? response
      : { ...response, headers: { ...security(), ...response.headers } };
  return {
    routes: listRoutes(context, openPainter()).map(({ path, handle }) => ({
      path,
      handle: async (request: Parameters<PageRoute['handle']>[0]) =>
        withSecurity(await handle(request)),
    })),
    assets: assets.all.map(({ path, contentType, bytes }) => ({
      path,
      contentType,
      cacheControl: ASSET_CACHE_CONTROL,
      body: bytes,
    })),
    problem: (problem: Parameters<typeof problemPage>[1]) => ({
      contentType: 'text/html; charset=utf-8',
      cacheControl: 'no-store',
      body: problemPage(context, problem),
      headers: security(),
    }),
  };
}
