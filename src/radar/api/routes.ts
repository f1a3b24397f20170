// All routes of the public API: path, handler, and the source of the response. The server caches
// responses of `read-model` routes. The other routes query the database.

import type { ApiContext, PublicRequest } from './context.ts';
import type { CachedResponse, PermanentRedirect } from './responses/cached-response.ts';
import { handleHotTopics } from './routes/hot-topics.ts';
import { handleItems } from './routes/items.ts';
import { handleOpenApi } from './routes/openapi.ts';
import {
  handleLatestReport,
  handleReport,
  handleReportIndex,
  reportKinds,
} from './routes/reports.ts';
import { handleChanges, handleSnapshot } from './routes/selected.ts';
import { handleStory } from './routes/stories.ts';

export type PublicRoute = {
  readonly path: string;
  readonly from: 'read-model' | 'database';
  readonly handle: (
    context: ApiContext,
    request: PublicRequest,
  ) => CachedResponse | Promise<CachedResponse> | Promise<CachedResponse | PermanentRedirect>;
};

export const routes: readonly PublicRoute[] = [
  { path: '/api/v1/items', from: 'read-model', handle: handleItems },
  { path: '/api/v1/hot-topics', from: 'read-model', handle: handleHotTopics },
  { path: '/api/v1/stories/:publicId', from: 'read-model', handle: handleStory },
  { path: '/api/v1/selected/snapshot', from: 'database', handle: handleSnapshot },
  { path: '/api/v1/selected/changes', from: 'database', handle: handleChanges },
  ...reportKinds.flatMap((kind): readonly PublicRoute[] => [
    {
      path: `/api/v1/${kind.path}`,
      from: 'read-model',
      handle: (context, request) => handleReportIndex(kind, context, request),
    },
    {
      path: `/api/v1/${kind.path}/latest`,
      from: 'read-model',
      handle: (context, request) => handleLatestReport(kind, context, request),
    },
    {
      path: `/api/v1/${kind.path}/:${kind.key}`,
      from: 'read-model',
      handle: (context, request) => handleReport(kind, context, request),
    },
  ]),
  { path: '/openapi-v1.json', from: 'read-model', handle: handleOpenApi },
];
