// A report as Markdown for a terminal, with its public content in page order.
import { toWireTime } from '../../kernel/time/calendar.ts';
import type {
  DailyBody,
  MonthlyBody,
  ReportEntry,
  WeeklyBody,
} from '../../radar/publication/documents/report-body.ts';
import {
  leadEntryOf,
  sectionsAfterLead,
} from '../../radar/publication/documents/sections-after-lead.ts';

export function reportText(body: DailyBody | WeeklyBody | MonthlyBody): string {
  const blocks = [
    ...(body.kind === 'daily' ? dailyBlocks(body) : periodBlocks(body)),
    ...body.corrections.map(({ at, note }) => `> ${toWireTime(at)}: ${oneLine(note)}`),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function dailyBlocks(body: DailyBody): readonly string[] {
  const { date, lead, flashes } = body;
  const entry = leadEntryOf(body);
  return [
    `# ${date}`,
    lead === null ? '' : `**${oneLine(lead.title)}**\n\n${oneLine(lead.leadParagraph)}`,
    entry === null ? '' : originalText(entry),
    ...sectionsAfterLead(body).flatMap(({ label, items }) => [
      `## ${label}`,
      ...items.map(entryText),
    ]),
    flashes.map(({ title, sourceName }) => `- ${oneLine(title)} (${sourceName})`).join('\n'),
  ];
}

function periodBlocks(body: WeeklyBody | MonthlyBody): readonly string[] {
  return [
    `# ${body.key}`,
    body.headline === null ? '' : `**${oneLine(body.headline)}**`,
    oneLine(body.overview ?? ''),
    ...body.sections.flatMap(({ label, summary, items }) => [
      `## ${label}`,
      oneLine(summary ?? ''),
      ...items.map(entryText),
    ]),
  ];
}

function entryText(entry: ReportEntry): string {
  const summaryText = entry.summary === '' ? '' : `\n\n${oneLine(entry.summary)}`;
  return `### ${oneLine(entry.title)}${summaryText}\n\n${originalText(entry)}`;
}

const originalText = ({ sourceName, originalUrl }: ReportEntry) =>
  `${sourceName}: <${originalUrl}>`;

/** Third-party text must not start a heading or a list. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
