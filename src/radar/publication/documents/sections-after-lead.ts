// Sections of a report below its lead. The entry that leads a daily does not repeat the lead's
// paragraph. JSON documents keep every entry whole.
import type {
  DailyBody,
  DailySection,
  MonthlyBody,
  PeriodSection,
  WeeklyBody,
} from './report-body.ts';

export function sectionsAfterLead(
  body: DailyBody | WeeklyBody | MonthlyBody,
): readonly (DailySection | PeriodSection)[] {
  if (body.kind !== 'daily' || body.lead === null) return body.sections;
  const { title, leadParagraph } = body.lead;
  return body.sections.map(({ category, label, items }) => ({
    category,
    label,
    items: items.map((entry) =>
      entry.title === title && entry.summary === leadParagraph ? { ...entry, summary: '' } : entry,
    ),
  }));
}
