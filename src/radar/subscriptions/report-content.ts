// A report as a notification: the lead, the titles of each section, and one link. A mail has the
// whole report.
import type { Db } from '../../kernel/ports/db.ts';
import { formatIssueName } from '../../kernel/web/issue-name.ts';
import type { MessageEntry, NotificationMessage } from '../../notifications/message.ts';
import type { ContentRequest } from '../../notifications/open-sender.ts';
import { listPublicDocuments } from '../../store/radar/publication/public-documents.ts';
import type { ReportKind } from '../../store/schema/stories.ts';
import type {
  DailyBody,
  DailySection,
  MonthlyBody,
  WeeklyBody,
} from '../publication/documents/report-body.ts';
import { openingOf } from '../publication/documents/sections-after-lead.ts';
import { notificationTexts } from './notification-texts.ts';
import type { Subscription } from './subscription.ts';

/** Maximum number of titles per section; the report's page has all of them. */
const TITLES_MAX = 5;

export async function reportContent(
  db: Db,
  { url }: { readonly url: string },
  subscription: Subscription,
  { subject, reason }: ContentRequest,
): Promise<NotificationMessage | null> {
  const [, kind = '', key = ''] = subject.split(':');
  const [document] = await listPublicDocuments(db, [{ kind: kind as ReportKind, key }]);
  if (document === undefined) return null;
  const body = document.body as DailyBody | WeeklyBody | MonthlyBody;
  const { language } = subscription;
  const texts = notificationTexts[language];
  const name = texts.report(texts.reports[body.kind], formatIssueName(body.kind, key, language));
  const isCorrection = reason.startsWith('correction:');
  const opening = openingOf(body);
  const address = `${url}/${body.kind}/${encodeURIComponent(key)}`;
  const sections = body.sections.map(
    ({ label, items }): MessageEntry => ({
      title: label,
      url: null,
      summary: null,
      lines: items.slice(0, TITLES_MAX).map(({ title }) => `· ${title}`),
    }),
  );
  const leadEntries: readonly MessageEntry[] =
    opening.title === null
      ? []
      : [{ title: opening.title, url: address, summary: opening.text, lines: [] }];
  return {
    event: isCorrection ? 'report.corrected' : 'report.published',
    language,
    title: isCorrection ? texts.corrected(name) : name,
    entries: [...leadEntries, ...sections],
    mailEntries: [...leadEntries, ...body.sections.flatMap((section) => entriesOf(url, section))],
    omittedCount: 0,
    link: { url: address, label: texts.readReport },
    isUrgent: false,
    data: {
      subscription: { id: subscription.id, name: subscription.name },
      reason,
      report: { kind: body.kind, key, links: { html: address } },
    },
  };
}

/** The name of a section, then each report of the section with the name of the source. */
const entriesOf = (url: string, { label, items }: DailySection): readonly MessageEntry[] => [
  { title: label, url: null, summary: null, lines: [] },
  ...items.map(({ itemId, title, summary, sourceName }) => ({
    title,
    url: `${url}/items/${encodeURIComponent(itemId)}`,
    summary: summary === '' ? null : summary,
    lines: [sourceName],
  })),
];
