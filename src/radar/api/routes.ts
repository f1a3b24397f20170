// All routes of the public API: path, handler, and the source of the response. A response from the
// read model alone is cached; others query the database.

import type { ApiContext, Asked } from './context.ts';
import type { Answer, Moved } from './responses/cached-response.ts';
import { answerHotTopics } from './routes/hot-topics.ts';
import { answerItems } from './routes/items.ts';
import { answerOpenApi } from './routes/openapi.ts';
import {
  answerLatestReport,
  answerReport,
  answerReportIndex,
  reportKinds,
} from './routes/reports.ts';
import { answerChanges, answerSnapshot } from './routes/selected.ts';
import { answerStory } from './routes/stories.ts';

export type Route = {
  readonly path: string;
  readonly from: 'edition' | 'database';
  readonly answer: (
    context: ApiContext,
    asked: Asked,
  ) => Answer | Promise<Answer> | Promise<Answer | Moved>;
};

export const routes: readonly Route[] = [
  { path: '/api/v1/items', from: 'edition', answer: answerItems },
  { path: '/api/v1/hot-topics', from: 'edition', answer: answerHotTopics },
  { path: '/api/v1/stories/:publicId', from: 'edition', answer: answerStory },
  { path: '/api/v1/selected/snapshot', from: 'database', answer: answerSnapshot },
  { path: '/api/v1/selected/changes', from: 'database', answer: answerChanges },
  ...reportKinds.flatMap((kind): readonly Route[] => [
    {
      path: `/api/v1/${kind.path}`,
      from: 'edition',
      answer: (context, asked) => answerReportIndex(kind, context, asked),
    },
    {
      path: `/api/v1/${kind.path}/latest`,
      from: 'edition',
      answer: (context, asked) => answerLatestReport(kind, context, asked),
    },
    {
      path: `/api/v1/${kind.path}/:${kind.key}`,
      from: 'edition',
      answer: (context, asked) => answerReport(kind, context, asked),
    },
  ]),
  { path: '/openapi-v1.json', from: 'edition', answer: answerOpenApi },
];
