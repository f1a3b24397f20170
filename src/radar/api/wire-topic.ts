// A topic of the ranking on the wire: feed contract, "HotTopic". Heat values are never published.
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { RankedTopic } from '../publication/documents/bodies.ts';
import type { Site } from './wire-item.ts';
import { pageLinks, storyPath } from './wire-links.ts';

export function wireTopic(site: Site, topic: RankedTopic, index: number) {
  return {
    rank: index + 1,
    id: topic.itemId,
    title: topic.title,
    source: { name: topic.sourceName },
    links: {
      ...pageLinks(site, `items/${topic.itemId}`),
      original: topic.originalUrl,
      story: `${site.url}/${storyPath(topic.storyId)}`,
    },
    sourceCount: topic.sourceCount,
    signalCount: topic.signalCount,
    participantCount: topic.participantCount,
    sourceNames: topic.sourceNames,
    latestAt: toWireTime(topic.latestAt),
  };
}
