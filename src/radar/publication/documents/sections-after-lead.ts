// Splits a report into its opening and the sections below it. The sections leave out the entry that
// the opening of a daily shows. JSON documents keep every entry.
import type {
  DailyBody,
  DailySection,
  MonthlyBody,
  PeriodSection,
  ReportEntry,
  WeeklyBody,
} from './report-body.ts';

type PeriodKind = 'weekly' | 'monthly';

/** The fields that these functions read. A preview has no dates and corrections yet. */
type ReportSections =
  | Pick<DailyBody, 'kind' | 'lead' | 'sections'>
  | { readonly kind: PeriodKind; readonly sections: readonly PeriodSection[] };

/** The lead of a daily, or the headline of another report, and the paragraph below it. */
export function openingOf(body: DailyBody | WeeklyBody | MonthlyBody): {
  readonly title: string | null;
  readonly text: string | null;
} {
  if (body.kind === 'daily') {
    return { title: body.lead?.title ?? null, text: body.lead?.leadParagraph ?? null };
  }
  return { title: body.headline, text: body.overview };
}

/** The entry with the title and the paragraph of the lead; null for other kinds of reports. */
export function leadEntryOf(body: ReportSections): ReportEntry | null {
  if (body.kind !== 'daily' || body.lead === null) return null;
  const { title, leadParagraph } = body.lead;
  const entries = body.sections.flatMap(({ items }) => items);
  return (
    entries.find((candidate) => candidate.title === title && candidate.summary === leadParagraph) ??
    null
  );
}

/** Returns the sections without the lead entry, and without sections that have no other entry. */
export function sectionsAfterLead(body: ReportSections): readonly (DailySection | PeriodSection)[] {
  const lead = leadEntryOf(body);
  if (body.kind !== 'daily' || lead === null) return body.sections;
  return body.sections.flatMap(({ category, label, items }) => {
    const otherItems = items.filter(({ itemId }) => itemId !== lead.itemId);
    return otherItems.length === 0 ? [] : [{ category, label, items: otherItems }];
  });
}
