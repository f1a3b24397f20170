// Renders a report that is not stored yet as readers would see it. Stored reports use the same
// rules.
import type { Db } from '../../../kernel/ports/db.ts';
import { citesOf, type ReportContent } from '../../../store/radar/publication/report-content.ts';
import {
  listItemOverrides,
  listSourceTitles,
} from '../../../store/radar/publication/report-material.ts';
import { readPinnedTitles } from '../../../store/radar/stories/story-edits.ts';
import type { ReportKind } from '../../../store/schema/stories.ts';
import type { DailySection, PeriodSection, ReportFlash } from './report-body.ts';
import { sectionsAfterLead } from './sections-after-lead.ts';
import { showReport } from './visible-report.ts';

export type ReportPreview = {
  readonly title: string | null;
  readonly text: string | null;
  /** Without the entry that leads a daily, because `title` and `text` show it. */
  readonly sections: readonly (DailySection | PeriodSection)[];
  readonly flashes: readonly ReportFlash[];
};

export async function renderPreview(
  db: Db,
  kind: ReportKind,
  content: ReportContent,
): Promise<ReportPreview> {
  const citedIds = citesOf(content);
  const { lead, headline, overview, sections, flashes } = showReport(content, {
    publicItems: await listSourceTitles(db, citedIds),
    storyTitles: await readPinnedTitles(db, citedIds),
    itemTexts: new Map(
      (await listItemOverrides(db, citedIds)).map((override) => [override.item_id, override]),
    ),
  });
  const isDaily = kind === 'daily';
  return {
    title: isDaily ? (lead?.title ?? null) : headline,
    text: isDaily ? (lead?.leadParagraph ?? null) : overview,
    sections: sectionsAfterLead(isDaily ? { kind, lead, sections } : { kind, sections }),
    flashes: isDaily ? flashes : [],
  };
}
