// Measures named sections of synchronous work. A section costs only one check while the channel has
// no subscriber. `npm run bench -- tail` subscribes.
import { channel } from 'node:diagnostics_channel';

export const SECTION_CHANNEL = 'radar:section';

export type SectionName =
  | 'rows of the database to items'
  | 'read model: a slice of changes'
  | 'read model: documents'
  | 'document: parse'
  | 'search: candidates and verification'
  | 'response: render'
  | 'response: compress'
  | 'response: head and body in one buffer';

export type TimedSection = {
  readonly name: SectionName;
  /** Milliseconds of `performance.now()`. */
  readonly start: number;
  readonly end: number;
};

const sections = channel(SECTION_CHANNEL);

/** Runs `work` and returns its result. An asynchronous function is timed until its first await. */
export function timeSection<T>(name: SectionName, work: () => T): T {
  if (!sections.hasSubscribers) return work();
  const start = performance.now();
  try {
    return work();
  } finally {
    sections.publish({ name, start, end: performance.now() } satisfies TimedSection);
  }
}
