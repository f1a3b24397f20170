// "On Thursday" in a report is the last Thursday before it: a day like any other that is named.
import { DAY_MS } from '../../../kernel/time/durations.ts';

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const english = new RegExp(String.raw`(?<!last |next |every )\b(${weekdays.join('|')})\b`, 'u');
const chinese = /(?<![上下每])(?:周|星期|礼拜)([日天一二三四五六])/u;
const numerals = '日一二三四五六';

/** `text` is folded. The first weekday in either language, as `d:MM-DD`; none without a time. */
export function findWeekdays(text: string, timeMs: number | null): readonly string[] {
  if (timeMs === null) return [];
  const named = english.exec(text)?.[1];
  const written = chinese.exec(text)?.[1];
  const wanted =
    named !== undefined
      ? weekdays.indexOf(named)
      : written === undefined
        ? -1
        : Math.max(0, numerals.indexOf(written));
  if (wanted < 0) return [];
  const back = (new Date(timeMs).getUTCDay() - wanted + 7) % 7;
  const day = new Date(timeMs - back * DAY_MS).toISOString();
  return [`d:${day.slice(5, 10)}`];
}
