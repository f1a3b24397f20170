// The names of the kinds of reports in addresses, and the check of a report's key.
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
