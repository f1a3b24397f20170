// Background sentences: "Not long ago, …", "The move comes after … on 3 May", 不久前. Their figures
// belong to another event.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { cue } from '../../../language/cues.ts';
import type { DayMention } from '../../../language/read-dates.ts';

const recallCue = cue('recalled');
const following = cue('recalled-of-a-day');
const beforeMs = 1.6 * DAY_MS;

/** `text` is folded and in lower case; `days` are the days that it names. */
export function isBackground(text: string, days: readonly DayMention[], at: number): boolean {
  if (recallCue.test(text)) return true;
  const earlierDays = days.filter((day) => Date.parse(day.value) < at - beforeMs);
  // A sentence that opens with a past day is about that day.
  const isDated = earlierDays.some(
    ({ start, end }) =>
      /^(?:on )?$/u.test(text.slice(0, start)) && /\d/u.test(text.slice(start, end)),
  );
  return isDated || (earlierDays.length > 0 && following.test(text));
}
