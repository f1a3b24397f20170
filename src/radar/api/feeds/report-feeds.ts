// The feeds of reports: dailies, weeklies, monthlies, newest first. An entry holds the whole report
// and the time of its last correction.
import { escapeXml } from '../../../kernel/text/escape-xml.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import type { ReportEntry } from '../../publication/documents/report-body.ts';
import { leadEntryOf, sectionsAfterLead } from '../../publication/documents/sections-after-lead.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import type { CachedResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { strictQuery } from '../strict-query.ts';
import { itemPage, type Site } from '../wire-item.ts';
import { feedTitle, wordsOf } from './feed-messages.ts';
import { feedAddresses, feedResponse, type ItemFeedFormat, link } from './item-feeds.ts';
import {
  type FoundReport,
  headOf,
  newestReports,
  type ReportFeedName,
  reportPage,
} from './read-report.ts';
import type { OutputEntry } from './syndicated-feed.ts';

const ENTRIES = { daily: 30, weekly: 20, monthly: 20 } as const;

/** A window ends at 08:00 of its last day; the next day is a Monday, or a 1st (feed contract). */
const dueAfterMs = { daily: 0, weekly: 26 * HOUR_MS, monthly: 26.5 * HOUR_MS } as const;

export function handleReportFeed(
  name: ReportFeedName,
  format: ItemFeedFormat,
  context: ApiContext,
  request: PublicRequest,
): CachedResponse {
  strictQuery(request.rawQuery, noParameters);
  const { site } = context;
  const words = wordsOf(site);
  const reports = newestReports(context, name, ENTRIES[name]);
  return feedResponse(context, format, {
    title: feedTitle(site, words[name]),
    description: words[`${name}About`],
    homePage: `${site.url}/${name}`,
    ...feedAddresses(site, `/feed/${name}`),
    language: site.language,
    ttlMinutes: 60,
    entries: reports.map((report) => entryOf(site, name, report)),
  });
}

function entryOf(site: Site, name: ReportFeedName, { key, body }: FoundReport): OutputEntry {
  const page = reportPage(site, name, key);
  const head = headOf(body);
  const title = `${wordsOf(site)[name]} ${key}`;
  return {
    id: `urn:radar:${name}:${key}`,
    title: head.title === null ? title : `${title}${wordsOf(site).colon}${head.title}`,
    page,
    link: page,
    summary: head.text ?? '',
    html: htmlOf(site, body, head.text),
    author: site.name,
    categories: [],
    language: site.language,
    // The due time of the report; a later correction changes only the update time.
    publishedAt: body.windowEnd + dueAfterMs[name],
    updatedAt: body.corrections.length === 0 ? null : body.generatedAt,
  };
}

function htmlOf(site: Site, body: FoundReport['body'], head: string | null): string {
  const words = wordsOf(site);
  const item = (entry: Pick<ReportEntry, 'itemId' | 'title' | 'summary' | 'sourceName'>) => {
    const summary = entry.summary === '' ? '' : `<br>${escapeXml(entry.summary)}`;
    const title = link(itemPage(site, entry.itemId), escapeXml(entry.title));
    return `<li>${title} · ${escapeXml(entry.sourceName)}${summary}</li>`;
  };
  const list = (label: string, intro: string | null, items: readonly string[]) =>
    `<h2>${escapeXml(label)}</h2>${paragraph(intro)}<ul>${items.join('')}</ul>`;
  const sections = sectionsAfterLead(body).map((section) =>
    list(section.label, 'summary' in section ? section.summary : null, section.items.map(item)),
  );
  const flashes =
    body.kind === 'daily' && body.flashes.length > 0
      ? list(
          words.flashes,
          null,
          body.flashes.map((flash) => item({ ...flash, summary: '' })),
        )
      : '';
  return `${paragraph(head)}${leadSource(site, body)}${sections.join('')}${flashes}`;
}

/** The source of the entry that leads a daily, with a link to its page. */
function leadSource(site: Site, body: FoundReport['body']): string {
  const lead = leadEntryOf(body);
  if (lead === null) return '';
  return `<p>${link(itemPage(site, lead.itemId), escapeXml(lead.sourceName))}</p>`;
}

const paragraph = (text: string | null) => (text === null ? '' : `<p>${escapeXml(text)}</p>`);
