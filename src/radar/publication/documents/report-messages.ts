// Fixed sentences of reports in the site's language: other publishers, first date, withdrawals and
// corrections. A note never repeats the withdrawn content.
import type { ContentLanguage } from '../../../store/radar/publication/report-content.ts';

type ReportMessages = {
  /** `names` has at least one name; `otherCount` is the number of further sources. */
  readonly alsoReported: (names: readonly string[], otherCount: number) => string;
  readonly since: (date: string) => string;
  readonly notes: Readonly<Record<'withdraw' | 'restore' | 'correct' | 'edited', string>>;
  /** Ends a title with a full stop, so that it reads as a sentence. */
  readonly fullStop: string;
};

const openDayFormat = (language: ContentLanguage) => {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  return (date: string) => format.format(Date.parse(date));
};

const formatDay = { en: openDayFormat('en'), 'zh-CN': openDayFormat('zh-CN') } as const;

export const reportMessages: Readonly<Record<ContentLanguage, ReportMessages>> = {
  en: {
    alsoReported: (names, otherCount) => {
      const otherSources =
        otherCount === 1 ? ' and one other source' : ` and ${otherCount} other sources`;
      if (otherCount > 0) return `Also reported by ${names.join(', ')}${otherSources}.`;
      const lastName = names.at(-1) ?? '';
      const earlierNames = names.slice(0, -1).join(', ');
      const sources = earlierNames === '' ? lastName : `${earlierNames} and ${lastName}`;
      return `Also reported by ${sources}.`;
    },
    since: (date) => `First reported here on ${formatDay.en(date)}.`,
    notes: {
      withdraw: 'An item was withdrawn. Text that depended on it is no longer part of this report.',
      restore: 'A withdrawn item was restored.',
      correct: 'The text of a report was corrected.',
      edited: 'This report was corrected.',
    },
    fullStop: '.',
  },
  'zh-CN': {
    alsoReported: (names, otherCount) =>
      otherCount > 0
        ? `另有${names.join('、')}等 ${names.length + otherCount} 家来源报道。`
        : `另有${names.join('、')}报道。`,
    since: (date) => `本站首次报道于${formatDay['zh-CN'](date)}。`,
    notes: {
      withdraw: '一篇报道已撤回，以其为依据的内容不再收入本期。',
      restore: '一篇曾撤回的报道已恢复。',
      correct: '一篇报道的文字已更正。',
      edited: '本期内容已更正。',
    },
    fullStop: '。',
  },
};
