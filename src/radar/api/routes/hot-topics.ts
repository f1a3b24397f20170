// GET /api/v1/hot-topics: the latest completed ranking; before the first one, none.
import { jsonAnswer } from '../answers/answer.ts';
import { cacheControl } from '../answers/cache-control.ts';
import type { ApiContext, Asked } from '../context.ts';
import { strictQuery } from '../strict-query.ts';
import { noParameters } from './parameters.ts';

export function answerHotTopics(_context: ApiContext, asked: Asked) {
  strictQuery(asked.rawQuery, noParameters);
  return jsonAnswer(cacheControl.live, { schemaVersion: 1, count: 0, rankedAt: null, items: [] });
}
