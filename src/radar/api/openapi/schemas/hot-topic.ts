// Topics of the ranking: feed contract, "HotTopic".
import { z } from 'zod';
import { countSchema, pageLinkSchemas, source, timeSchema, urlSchema } from './values.ts';

export function hotTopicSchema(hasAihot: boolean) {
  return z
    .object({
      rank: z.int().min(1).max(10).describe('Position, from 1.'),
      id: z
        .string()
        .min(1)
        .describe('Identifier of the representative item, or of the story when there is none.'),
      title: z.string().describe('Title of the topic.'),
      source,
      links: z
        .object({
          ...pageLinkSchemas('topic', hasAihot),
          original: urlSchema('Original article that represents the topic.'),
          story: urlSchema('Page of the story; its last segment is the publicId.').optional(),
        })
        .describe('Further addresses. `story` is absent when the topic has no story.'),
      sourceCount: countSchema('Number of distinct owners with a report.'),
      signalCount: countSchema('Number of reports by sources that are only a signal of attention.'),
      participantCount: countSchema('Number of distinct owners of both kinds of sources.'),
      sourceNames: z.array(z.string()).describe('Names of the sources.'),
      latestAt: timeSchema('Time of the newest report.'),
    })
    .describe('One topic of the ranking.');
}
