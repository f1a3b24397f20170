// Writes the world for the evaluation of stories: one row per entry in order of publication, with
// its true cluster.
import type { DemoWorld } from './world-model.ts';

export type EvalRow = {
  readonly id: string;
  /** RFC 3339. */
  readonly time: string;
  readonly lang: 'en' | 'zh';
  readonly title: string;
  readonly text: string;
  /** The true event; copies and republications belong to the event they repeat. */
  readonly cluster: string;
};

/** Rows of the entries published at or before `until` (epoch milliseconds). */
export function evalRows(world: DemoWorld, until: number): readonly EvalRow[] {
  return world.entries
    .filter((entry) => entry.at <= until)
    .map((entry) => ({
      id: entry.key,
      time: new Date(entry.at).toISOString(),
      lang: entry.lang === 'en' ? 'en' : 'zh',
      title: entry.title,
      text: entry.paragraphs.join('\n\n'),
      cluster: entry.eventId,
    }));
}
