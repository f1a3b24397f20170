// Background sentences: "The move comes after … on 3 May". Their figures belong to another event.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { cuePattern } from '../../../language/cues.ts';
import type { DayMention } from '../../../language/read-dates.ts';

const following = cuePattern('recalled-of-a-day');
const beforeMs = 1.6 * DAY_MS;

/** `text` is folded and in lower case; `days` are the days that it names. */
export function isBackground(text: string, days: readonly DayMention[], at: number): boolean {
  return following.test(text) && days.some((day) => Date.parse(day.value) < at - beforeMs);
}
