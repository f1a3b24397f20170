// Dailies, weeklies and monthlies on the wire, in the index and in full: feed contract, "Reports".
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { ReportNeighbours } from '../publication/documents/find-document.ts';
import type {
  DailyBody,
  MonthlyBody,
  ReportCorrection,
  ReportEntry,
  ReportFlash,
  WeeklyBody,
} from '../publication/documents/report-body.ts';
import type { StorySummary } from '../publication/documents/story-summary.ts';
import type { Site } from './wire-item.ts';
import { attributionOf, pageLinks, storyPath } from './wire-links.ts';

export type ReportBody = DailyBody | WeeklyBody | MonthlyBody;
type PeriodBody = WeeklyBody | MonthlyBody;
type EntryStories = ReadonlyMap<string, StorySummary>;

export function wireReportEntry(site: Site, body: ReportBody) {
  if (body.kind !== 'daily') return periodHead(site, body);
  return {
    ...dailyHead(site, body),
    leadTitle: body.lead?.title ?? null,
    leadParagraph: body.lead?.leadParagraph ?? null,
  };
}

/** `stories`: stories of the entries, by item id. */
export function wireReport(
  site: Site,
  body: ReportBody,
  neighbours: ReportNeighbours,
  stories: EntryStories,
) {
  const window = {
    windowStart: toWireTime(body.windowStart),
    windowEnd: toWireTime(body.windowEnd),
  };
  const commonFields = { ...neighbours, corrections: body.corrections.map(wireCorrection) };
  if (body.kind === 'daily') {
    return {
      ...dailyHead(site, body),
      ...window,
      lead: body.lead,
      sections: body.sections.map(({ label, items }) => ({
        label,
        items: items.map((entry) => wireSectionEntry(site, entry, stories)),
      })),
      flashes: body.flashes.map((flash) => wireFlash(site, flash, stories)),
      ...commonFields,
    };
  }
  return {
    ...periodHead(site, body),
    ...window,
    overview: body.overview,
    sections: body.sections.map(({ label, summary, items }) => ({
      label,
      summary,
      items: items.map((entry) => ({
        ...wireSectionEntry(site, entry, stories),
        publishedAt: entry.publishedAt === null ? null : toWireTime(entry.publishedAt),
      })),
    })),
    ...commonFields,
  };
}

function dailyHead(site: Site, { date, generatedAt }: DailyBody) {
  const links = pageLinks(site, `daily/${date}`);
  const attribution = attributionOf(site, links);
  return { date, generatedAt: toWireTime(generatedAt), links, attribution };
}

function periodHead(site: Site, body: PeriodBody) {
  const { kind, key, periodStart, periodEnd, generatedAt, headline } = body;
  const links = pageLinks(site, `${kind}/${key}`);
  return {
    [kind === 'weekly' ? 'week' : 'month']: key,
    periodStart,
    periodEnd,
    generatedAt: toWireTime(generatedAt),
    headline,
    links,
    attribution: attributionOf(site, links),
  };
}

function entryHead(
  site: Site,
  { itemId, title, sourceName, originalUrl }: Omit<ReportFlash, 'publishedAt'>,
  stories: EntryStories,
) {
  const page = pageLinks(site, `items/${itemId}`);
  const story = stories.get(itemId);
  return {
    title,
    source: { name: sourceName },
    links: {
      ...page,
      original: originalUrl,
      ...(story !== undefined && { story: `${site.url}/${storyPath(story.id)}` }),
    },
    attribution: attributionOf(site, page),
    sourceCount: story?.sourceCount ?? 1,
    disagreement: story !== undefined && story.contradictions.length > 0,
  };
}

function wireSectionEntry(site: Site, entry: ReportEntry, stories: EntryStories) {
  return { ...entryHead(site, entry, stories), summary: entry.summary };
}

function wireFlash(site: Site, flash: ReportFlash, stories: EntryStories) {
  return { ...entryHead(site, flash, stories), publishedAt: toWireTime(flash.publishedAt) };
}

const wireCorrection = ({ at, note }: ReportCorrection) => ({ at: toWireTime(at), note });
