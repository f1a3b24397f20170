// Topics of the ranking: feed contract, "HotTopic".
import { z } from 'zod';
import { count, pageLinks, source, time, url } from './values.ts';

export function hotTopicSchema(hasAihot: boolean) {
  return z
    .object({
      rank: z.int().min(1).max(10).describe('Position, from 1.'),
      id: z.string().min(1).describe('The representative item, or else the story.'),
      title: z.string().describe('What is being talked about.'),
      source,
      links: z
        .object({
          ...pageLinks('topic', hasAihot),
          original: url('The original that stands for the topic.'),
          story: url('Page of the story; its last segment is the publicId.').optional(),
        })
        .describe('Where to read on. Without story there is no story to ask for.'),
      sourceCount: count('Distinct owners with a report.'),
      signalCount: count('Reports of sources that only listen to what is talked about.'),
      participantCount: count('Distinct owners of both kinds.'),
      sourceNames: z.array(z.string()).describe('Names of the sources.'),
      latestAt: time('Time of the newest report.'),
    })
    .describe('One topic of the ranking.');
}
