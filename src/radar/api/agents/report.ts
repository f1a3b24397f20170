// /api/v1/agent/daily, /weekly, /monthly: a report in Markdown, the latest or a given one.
import { toWireTime } from '../../../kernel/time/calendar.ts';
import type { ReportEntry } from '../../publication/documents/report-body.ts';
import {
  leadEntryOf,
  openingOf,
  sectionsAfterLead,
} from '../../publication/documents/sections-after-lead.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { feedMessages } from '../feeds/feed-messages.ts';
import { DATA_NOTE, fenceLines, formatAutolink, markdownResponse } from '../feeds/markdown.ts';
import {
  type FoundReport,
  type ReportFeedBody,
  type ReportFeedName,
  readReport,
  reportPageUrl,
} from '../feeds/read-report.ts';
import { cacheControl } from '../responses/cache-control.ts';
import type { CachedResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { itemPageUrl } from '../wire-item.ts';
import { listLines } from './items.ts';

export async function handleAgentReport(
  name: ReportFeedName,
  context: ApiContext,
  request: PublicRequest,
): Promise<CachedResponse> {
  readStrictQuery(request.rawQuery, noParameters);
  const report = await readReport(context, name, request.params.key ?? null);
  return markdownResponse(cacheControl.live, reportParts(context, name, report));
}

function reportParts(
  context: ApiContext,
  name: ReportFeedName,
  { key, body }: FoundReport,
): readonly string[] {
  const { site } = context;
  const messages = feedMessages(site);
  const opening = openingOf(body);
  const lead = leadEntryOf(body);
  const facts = [
    `Covers: ${toWireTime(body.windowStart)} to ${toWireTime(body.windowEnd)}`,
    `Written: ${toWireTime(body.generatedAt)}`,
    `Page: ${formatAutolink(reportPageUrl(site, name, key))}`,
  ];
  return [
    `# ${site.name}: ${messages[name]} ${key}`,
    DATA_NOTE,
    listLines(facts),
    ...(opening.title === null && opening.text === null
      ? []
      : [
          fenceLines([
            ['headline', opening.title],
            ['overview', opening.text],
            ['source', lead?.sourceName ?? null],
          ]),
          ...(lead === null ? [] : [entryFacts(context, lead)]),
        ]),
    ...sectionParts(context, body),
    ...correctionParts(context, body),
  ];
}

function sectionParts(context: ApiContext, body: ReportFeedBody): readonly string[] {
  const sections = sectionsAfterLead(body).flatMap((section) => {
    const intro = 'summary' in section ? section.summary : null;
    return [
      `## ${section.label}`,
      ...(intro === null ? [] : [fenceLines([['summary', intro]])]),
      ...section.items.map((entry) => entryPart(context, entry)),
    ];
  });
  if (body.kind !== 'daily' || body.flashes.length === 0) return sections;
  const flashes = body.flashes.map((flash) => entryPart(context, { ...flash, summary: '' }));
  return [...sections, `## ${feedMessages(context.site).flashes}`, ...flashes];
}

function entryPart(context: ApiContext, entry: ReportEntry): string {
  const data = fenceLines([
    ['title', entry.title],
    ['source', entry.sourceName],
    ['summary', entry.summary === '' ? null : entry.summary],
  ]);
  return `${data}\n\n${entryFacts(context, entry)}`;
}

function entryFacts({ site }: ApiContext, entry: ReportEntry): string {
  return listLines([
    entry.publishedAt === null ? null : `Published: ${toWireTime(entry.publishedAt)}`,
    `Original: ${formatAutolink(entry.originalUrl)}`,
    `Page: ${formatAutolink(itemPageUrl(site, entry.itemId))}`,
  ]);
}

function correctionParts({ site }: ApiContext, { corrections }: ReportFeedBody): readonly string[] {
  if (corrections.length === 0) return [];
  const lines = corrections.map(({ at, note }) => [toWireTime(at), note] as const);
  return [`## ${feedMessages(site).corrections}`, fenceLines(lines)];
}
