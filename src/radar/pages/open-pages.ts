// Every page for people on one screen, with what they are made of. They read the publication and
// nothing behind it.
import { ASSET_CACHE_CONTROL, openAssets } from '../../kernel/html/assets.ts';
import { pageSecurity } from '../../kernel/html/page.ts';
import { openSourceHealth } from '../publication/source-health.ts';
import { aboutPage } from './about.ts';
import { agentPage } from './agent.ts';
import { hotPage } from './hot.ts';
import { itemPage } from './item.ts';
import type { PageAnswer, PageContext, PageMoved, PageRoute } from './page-context.ts';
import { openPainter, type Painter } from './pictures/paint.ts';
import { reportCard, storyCard } from './pictures/picture.ts';
import { problemPage } from './problem-page.ts';
import { problemTypePage } from './problem-type.ts';
import { reportPage } from './report/report.ts';
import { reportNames } from './report/report-lead.ts';
import { searchPage } from './search.ts';
import { storyPage } from './story/story.ts';
import { timelinePage } from './timeline.ts';

const kernelAssets = new URL('../../kernel/html/assets/', import.meta.url);

function openReaderAssets() {
  return openAssets({
    'serif.woff2': new URL(
      import.meta.resolve(
        '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
      ),
    ),
    'icon.svg': new URL('icon.svg', kernelAssets),
    'page.css': new URL('page.css', kernelAssets),
    'reader.js': new URL('assets/reader.js', import.meta.url),
    'search.js': new URL('assets/search.js', import.meta.url),
    'story.js': new URL('assets/story.js', import.meta.url),
    'copy.js': new URL('copy.js', kernelAssets),
  });
}

function routesOf(context: PageContext, paint: Painter): readonly PageRoute[] {
  return [
    { path: '/', answer: (asked) => timelinePage('/', context, asked) },
    { path: '/all', answer: (asked) => timelinePage('/all', context, asked) },
    { path: '/search', answer: (asked) => searchPage(context, asked) },
    { path: '/hot', answer: () => hotPage(context) },
    { path: '/stories/:id', answer: (asked) => storyPage(context, asked) },
    ...reportNames.flatMap((name): readonly PageRoute[] => [
      { path: `/${name}`, answer: (asked) => reportPage(name, context, asked) },
      { path: `/${name}/:key`, answer: (asked) => reportPage(name, context, asked) },
      {
        path: `/pictures/${name}/:file`,
        answer: (asked) => reportCard(name, context, paint, asked),
      },
    ]),
    { path: '/items/:id', answer: (asked) => itemPage(context, asked) },
    { path: '/pictures/stories/:file', answer: (asked) => storyCard(context, paint, asked) },
    { path: '/agent', answer: () => agentPage(context) },
    { path: '/about', answer: () => aboutPage(context) },
    { path: '/problems/:code', answer: (asked) => problemTypePage(context, asked) },
  ];
}

/** Pages as the server takes them: secured, with their assets and their failures. */
export function openPages(given: Omit<PageContext, 'assets' | 'health'>) {
  const assets = openReaderAssets();
  const health = openSourceHealth(given.world, given.publication);
  const context = { ...given, assets, health };
  const secured = (answer: PageAnswer | PageMoved) =>
    'location' in answer ? answer : { ...answer, headers: pageSecurity };
  return {
    routes: routesOf(context, openPainter()).map(({ path, answer }) => ({
      path,
      answer: async (asked: Parameters<PageRoute['answer']>[0]) => secured(await answer(asked)),
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
      headers: pageSecurity,
    }),
  };
}
