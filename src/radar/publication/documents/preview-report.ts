// Previews an unwritten report as readers would see it, by the rules of written ones.
import type { Db } from '../../../kernel/ports/db.ts';
import { citesOf, type ReportContent } from '../../../store/radar/publication/report-content.ts';
import { itemOverrides, publicIds } from '../../../store/radar/publication/report-material.ts';
import { pinnedTitles } from '../../../store/radar/stories/story-edits.ts';
import { type ReportProjection, showReport } from './visible-report.ts';

export async function renderPreview(db: Db, content: ReportContent): Promise<ReportProjection> {
  const cited = citesOf(content);
  return showReport(content, {
    publicIds: await publicIds(db, cited),
    pinned: await pinnedTitles(db, cited),
    words: new Map(
      (await itemOverrides(db, cited)).map((override) => [override.item_id, override]),
    ),
  });
}
