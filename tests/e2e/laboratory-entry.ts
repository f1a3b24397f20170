// Entries of a feed for end-to-end tests.
import type { FeedEntry } from '../support/loopback-site.ts';

/** `origin`: the site that serves the feed. A higher number is an older entry. */
export const laboratoryEntry = (origin: string, number: number): FeedEntry => ({
  id: `entry-${number}`,
  title: `Lantern Works opens its ${number}th laboratory`,
  text:
    `Lantern Works said that laboratory number ${number} starts work in autumn ` +
    'with forty people.',
  link: `${origin}/articles/${number}`,
  at: Date.parse('2026-08-22T09:00:00Z') - number * 60_000,
});
