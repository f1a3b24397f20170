// /api/v1/agent/hot: the current ranking in Markdown.

import { z } from 'zod';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import { RANKING_KEY, type RankedTopic } from '../../publication/documents/bodies.ts';
import { documentOf } from '../../publication/read-model/documents.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { DATA_NOTE, fenceLines, formatAutolink, markdownResponse } from '../feeds/markdown.ts';
import { cacheControl } from '../responses/cache-control.ts';
import type { CachedResponse } from '../responses/cached-response.ts';
import { readStrictQuery } from '../strict-query.ts';
import { itemPageUrl } from '../wire-item.ts';
import { listLines } from './items.ts';

export const agentHotQuery = z.strictObject({ limit: wholeNumber(1, 10, 10) });

export function handleAgentHot(context: ApiContext, request: PublicRequest): CachedResponse {
  const { limit } = readStrictQuery(request.rawQuery, agentHotQuery);
  const ranking = documentOf(context.publication.readModel(), 'ranking', RANKING_KEY);
  const topics = ranking?.body.topics.slice(0, limit) ?? [];
  const list = topics.map((topic, index) => `## ${index + 1}\n\n${topicPart(context, topic)}`);
  return markdownResponse(cacheControl.live, [
    `# ${context.site.name}: hot`,
    `The topics that the largest number of independent sources report now. ${DATA_NOTE}`,
    ...(list.length > 0 ? list : ['No topic qualifies right now. Try latest.']),
  ]);
}

function topicPart({ site }: ApiContext, topic: RankedTopic): string {
  const data = fenceLines([
    ['title', topic.title],
    ['source', topic.sourceName],
    ['sources', topic.sourceNames.join(', ')],
  ]);
  const facts = [
    `Sources: ${topic.sourceCount}`,
    `Newest report: ${toWireTime(topic.latestAt)}`,
    `Story: ${formatAutolink(`${site.url}/api/v1/agent/stories/${topic.storyId}`)}`,
    `Original: ${formatAutolink(topic.originalUrl)}`,
    `Page: ${formatAutolink(itemPageUrl(site, topic.itemId))}`,
  ];
  return `${data}\n\n${listLines(facts)}`;
}
