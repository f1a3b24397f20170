// GET /api/v1/hot-topics: the latest completed ranking, or none. The ETag does not include the time
// of the ranking, so two equal rankings have one ETag.
import { toWireTime } from '../../../kernel/time/calendar.ts';
import { RANKING_KEY } from '../../publication/documents/bodies.ts';
import { documentOf } from '../../publication/read-model/documents.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type CachedResponse, JSON_TYPE, makeResponse } from '../responses/cached-response.ts';
import { readStrictQuery } from '../strict-query.ts';
import { wireTopic } from '../wire-topic.ts';
import { noParameters } from './parameters.ts';

export function handleHotTopics(
  { publication, site }: ApiContext,
  request: PublicRequest,
): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const ranking = documentOf(publication.readModel(), 'ranking', RANKING_KEY)?.body ?? null;
  const items = (ranking?.topics ?? []).map((topic, index) => wireTopic(site, topic, index));
  const rankedAt = ranking === null ? null : toWireTime(ranking.rankedAt);
  const content = { schemaVersion: 1, count: items.length };
  return makeResponse({
    contentType: JSON_TYPE,
    cacheControl: cacheControl.live,
    body: JSON.stringify({ ...content, rankedAt, items }),
    etagContent: JSON.stringify({ ...content, items }),
  });
}
