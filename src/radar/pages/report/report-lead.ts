// The common parts of all kinds of reports: name, key and opening paragraph.
import { isDay, isMonth, isWeek } from '../../../kernel/time/calendar.ts';
import type {
  DailyBody,
  MonthlyBody,
  WeeklyBody,
} from '../../publication/documents/report-body.ts';

export const reportNames = ['daily', 'weekly', 'monthly'] as const;
export type ReportPageName = (typeof reportNames)[number];
export type ReportPageBody = DailyBody | WeeklyBody | MonthlyBody;

const keys = { daily: isDay, weekly: isWeek, monthly: isMonth };

export const isReportKey = (name: ReportPageName, key: string): boolean => keys[name](key);

export type Lead = { readonly title: string | null; readonly text: string | null };

export function leadOf(body: ReportPageBody): Lead {
  if (body.kind === 'daily') {
    return { title: body.lead?.title ?? null, text: body.lead?.leadParagraph ?? null };
  }
  return { title: body.headline, text: body.overview };
}
