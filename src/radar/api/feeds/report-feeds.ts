// The feeds of reports: dailies, weeklies, monthlies, newest first. An entry holds the whole report
// and the time of its last correction.
import { escapeXml } from '../../../kernel/text/escape-xml.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import type { ReportEntry } from '../../publication/documents/report-body.ts';
import {
  leadEntryOf,
  openingOf,
  sectionsAfterLead,
} from '../../publication/documents/sections-after-lead.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import type { CachedResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { itemPageUrl, type Site } from '../wire-item.ts';
import { feedMessages, feedTitle } from './feed-messages.ts';
import { feedAddresses, feedResponse, type ItemFeedFormat, renderLink } from './item-feeds.ts';
import {
  type FoundReport,
  type ReportFeedName,
  readNewestReports,
  reportPageUrl,
} from './read-report.ts';
import type { OutputEntry } from './syndicated-feed.ts';

const ENTRIES_MAX = { daily: 30, weekly: 20, monthly: 20 } as const;

/** Delay between the end of a report's window and its due time (feed contract). */
const dueAfterMs = { daily: 0, weekly: 26 * HOUR_MS, monthly: 26.5 * HOUR_MS } as const;

export function handleReportFeed(
  name: ReportFeedName,
  format: ItemFeedFormat,
  context: ApiContext,
  request: PublicRequest,
): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const { site } = context;
  const messages = feedMessages(site);
  const reports = readNewestReports(context, name, ENTRIES_MAX[name]);
  return feedResponse(context, format, {
    title: feedTitle(site, messages[name]),
    description: messages[`${name}About`],
    homePage: `${site.url}/${name}`,
    ...feedAddresses(site, `/feed/${name}`),
    language: site.language,
    ttlMinutes: 60,
    entries: reports.map((report) => entryOf(site, name, report)),
  });
}

function entryOf(site: Site, name: ReportFeedName, { key, body }: FoundReport): OutputEntry {
  const page = reportPageUrl(site, name, key);
  const opening = openingOf(body);
  const title = `${feedMessages(site)[name]} ${key}`;
  return {
    id: `urn:radar:${name}:${key}`,
    title: opening.title === null ? title : `${title}${feedMessages(site).colon}${opening.title}`,
    page,
    link: page,
    summary: opening.text ?? '',
    html: renderReport(site, body, opening.text),
    author: site.name,
    categories: [],
    language: site.language,
    // The due time of the report; a later correction changes only the update time.
    publishedAt: body.windowEnd + dueAfterMs[name],
    updatedAt: body.corrections.length === 0 ? null : body.generatedAt,
  };
}

function renderReport(site: Site, body: FoundReport['body'], opening: string | null): string {
  const messages = feedMessages(site);
  const renderEntry = (entry: Pick<ReportEntry, 'itemId' | 'title' | 'summary' | 'sourceName'>) => {
    const summary = entry.summary === '' ? '' : `<br>${escapeXml(entry.summary)}`;
    const title = renderLink(itemPageUrl(site, entry.itemId), escapeXml(entry.title));
    return `<li>${title} · ${escapeXml(entry.sourceName)}${summary}</li>`;
  };
  const renderList = (label: string, intro: string | null, items: readonly string[]) =>
    `<h2>${escapeXml(label)}</h2>${renderParagraph(intro)}<ul>${items.join('')}</ul>`;
  const sections = sectionsAfterLead(body).map((section) =>
    renderList(
      section.label,
      'summary' in section ? section.summary : null,
      section.items.map(renderEntry),
    ),
  );
  const flashes =
    body.kind === 'daily' && body.flashes.length > 0
      ? renderList(
          messages.flashes,
          null,
          body.flashes.map((flash) => renderEntry({ ...flash, summary: '' })),
        )
      : '';
  return `${renderParagraph(opening)}${renderLeadSource(site, body)}${sections.join('')}${flashes}`;
}

/** The source of the entry that leads a daily, with a link to the page of the entry. */
function renderLeadSource(site: Site, body: FoundReport['body']): string {
  const lead = leadEntryOf(body);
  if (lead === null) return '';
  return `<p>${renderLink(itemPageUrl(site, lead.itemId), escapeXml(lead.sourceName))}</p>`;
}

const renderParagraph = (text: string | null) => (text === null ? '' : `<p>${escapeXml(text)}</p>`);
