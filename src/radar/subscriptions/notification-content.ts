// The content of a notification, from public data at the time of sending. Nothing is sent when the
// content is null: no item is public any more, or a withdrawn story is public again.
import type { Db } from '../../kernel/ports/db.ts';
import { formatZonedDate } from '../../kernel/web/format-time.ts';
import type { MessageEntry, NotificationMessage } from '../../notifications/message.ts';
import type { ContentRequest } from '../../notifications/open-sender.ts';
import {
  listPublicItemsOfGroup,
  listPublicItemsOfStories,
} from '../../store/notifications/public-subjects.ts';
import { listPublicDocuments } from '../../store/radar/publication/public-documents.ts';
import { listPublicItemRows } from '../../store/radar/publication/public-items.ts';
import type { MergedBody, StoryBody } from '../publication/documents/bodies.ts';
import type { PublicItem } from '../publication/item.ts';
import { fromPublicRow } from '../publication/public-row.ts';
import { findSubscription } from './change-subscriptions.ts';
import { notificationTexts } from './notification-texts.ts';
import { reportContent } from './report-content.ts';
import { DEFAULT_ZONE, type Subscription, zoneOf } from './subscription.ts';

export type ContentSite = {
  readonly url: string;
  /** The contract's `Item`, as JSON. */
  readonly wireItem: (item: PublicItem) => unknown;
  /** The IANA zone of times for subscriptions without a zone; absent: Asia/Shanghai. */
  readonly zone?: string;
};

const ENTRIES_MAX = 10;

export async function notificationContent(
  db: Db,
  site: ContentSite,
  request: ContentRequest,
): Promise<NotificationMessage | null> {
  const subscription = await findSubscription(db, request.subscriptionId);
  if (subscription === null) return null;
  const { reason, subject } = request;
  if (subject.startsWith('report:')) return reportContent(db, site, subscription, request);
  if (reason.startsWith('digest:')) return digestContent(db, site, subscription, request);
  const event = await readEvent(db, subscription, request, subject);
  if (reason === 'withdrawn') {
    return event === null ? withdrawnContent(site, subscription, request) : null;
  }
  return event === null ? null : eventContent(site, subscription, request, event);
}

type PublicEvent = {
  readonly title: string;
  readonly summary: string | null;
  /** Null: the item has no story. */
  readonly story: StoryBody | null;
  readonly items: readonly PublicItem[];
  readonly path: string;
};

/**
 * `subject` is a story or a duplicate group. A merged story is replaced by the story that it was
 * merged into. Returns null when no item is public.
 */
async function readEvent(
  db: Db,
  subscription: Subscription,
  { items: sentIds }: Pick<ContentRequest, 'items'>,
  subject: string,
): Promise<PublicEvent | null> {
  const kind = subject.split(':', 1)[0];
  const id = subject.slice(subject.indexOf(':') + 1);
  const story = kind === 'story' ? await readStory(db, id) : null;
  const readRows = () => {
    if (kind !== 'story') return listPublicItemsOfGroup(db, id);
    if (story !== null) return listPublicItemsOfStories(db, [story.id]);
    // The items may have no story any more. Withdrawn items are absent from the result.
    return listPublicItemRows(db, sentIds);
  };
  const rows = await readRows();
  const items = rows.map(fromPublicRow).filter((item) => matchesMode(subscription, item));
  const [first] = items;
  if (first === undefined) return null;
  if (story !== null) {
    const { title, digest } = story;
    return {
      title,
      summary: digest,
      story,
      items,
      path: `stories/${encodeURIComponent(story.id)}`,
    };
  }
  const { title, summary } = first;
  return { title, summary, story: null, items, path: `items/${encodeURIComponent(first.id)}` };
}

/** Mode `selected` requires that the item is selected at the time of sending. */
const matchesMode = (subscription: Subscription, item: PublicItem): boolean =>
  subscription.kind !== 'news' || subscription.match.mode === 'all' || item.selected;

async function readStory(db: Db, id: string): Promise<StoryBody | null> {
  const body = await findStoryDocument(db, id);
  if (body === null || body.kind === 'story') return body;
  const survivor = await findStoryDocument(db, body.into);
  return survivor?.kind === 'story' ? survivor : null;
}

async function findStoryDocument(db: Db, id: string): Promise<StoryBody | MergedBody | null> {
  const [document] = await listPublicDocuments(db, [{ kind: 'story', key: id }]);
  return (document?.body as StoryBody | MergedBody | undefined) ?? null;
}

function eventContent(
  site: ContentSite,
  subscription: Subscription,
  request: ContentRequest,
  event: PublicEvent,
): NotificationMessage {
  const { reason } = request;
  const texts = notificationTexts[subscription.language];
  const url = `${site.url}/${event.path}`;
  const chooseHeading = () => {
    switch (reason.split(':', 1)[0]) {
      case 'contradiction':
        return { event: 'story.contradiction', title: texts.contradiction(event.title) } as const;
      case 'correction':
        return { event: 'story.correction', title: texts.correction(event.title) } as const;
      default:
        return { event: 'story.new', title: event.title } as const;
    }
  };
  const heading = chooseHeading();
  return {
    event: heading.event,
    language: subscription.language,
    title: heading.title,
    entries: [textOf(subscription, event)],
    omittedCount: 0,
    link: { url, label: texts.read },
    isUrgent: false,
    contradictionCounts: { [request.subject]: event.story?.contradictions.length ?? 0 },
    data: {
      subscription: { id: subscription.id, name: subscription.name },
      reason,
      story: event.story === null ? null : storyData(site, event.story),
      items: event.items.map(site.wireItem),
    },
  };
}

const storyData = ({ url }: ContentSite, { id, title }: StoryBody) => ({
  publicId: id,
  title,
  links: { html: `${url}/stories/${encodeURIComponent(id)}` },
});

const entryOf = (
  { url }: ContentSite,
  subscription: Subscription,
  event: PublicEvent,
): MessageEntry => ({
  ...textOf(subscription, event),
  title: event.title,
  url: `${url}/${event.path}`,
});

/** The entry has no title, because the message about a single event has the title. */
function textOf({ language }: Subscription, { summary, story, items }: PublicEvent): MessageEntry {
  const texts = notificationTexts[language];
  const [first] = items;
  const earliest = story?.sources[0]?.name ?? first?.sourceName ?? '';
  const contradiction = story?.contradictions[0];
  return {
    title: null,
    url: null,
    summary,
    lines: [
      story === null ? earliest : texts.sources(story.sourceCount, earliest),
      ...(contradiction === undefined ? [] : [texts.disagree(contradiction.subject)]),
    ],
  };
}

async function digestContent(
  db: Db,
  site: ContentSite,
  subscription: Subscription,
  request: ContentRequest,
): Promise<NotificationMessage | null> {
  const events: PublicEvent[] = [];
  const contradictionCounts: Record<string, number> = {};
  for (const subject of request.subjects) {
    // Without sent items, `readEvent` returns null for a story that is no longer public.
    const event = await readEvent(db, subscription, { items: [] }, subject);
    if (event === null) continue;
    events.push(event);
    contradictionCounts[subject] = event.story?.contradictions.length ?? 0;
  }
  if (events.length === 0) return null;
  const bestFirst = events.sort(
    (a, b) =>
      scoreOf(b) - scoreOf(a) ||
      (b.story?.sourceCount ?? 1) - (a.story?.sourceCount ?? 1) ||
      newestOf(b) - newestOf(a),
  );
  const entries = bestFirst.slice(0, ENTRIES_MAX);
  const texts = notificationTexts[subscription.language];
  return {
    event: 'digest',
    language: subscription.language,
    title: texts.digest(subscription.name, events.length),
    entries: entries.map((event) => entryOf(site, subscription, event)),
    omittedCount: events.length - entries.length,
    link: { url: queryUrl(site, subscription), label: texts.open },
    isUrgent: false,
    contradictionCounts,
    data: {
      subscription: { id: subscription.id, name: subscription.name },
      reason: request.reason,
      stories: entries.flatMap(({ story }) => (story === null ? [] : [storyData(site, story)])),
      items: entries.flatMap(({ items }) => items.slice(0, 1).map(site.wireItem)),
    },
  };
}

const scoreOf = ({ items }: PublicEvent) => Math.max(...items.map(({ score }) => score ?? -1));
const newestOf = ({ items }: PublicEvent) => Math.max(...items.map(({ timelineAt }) => timelineAt));

/** The address of the search for the query's first text; without a text, the front page. */
function queryUrl({ url }: ContentSite, subscription: Subscription): string {
  const [text] = subscription.kind === 'news' ? subscription.match.any : [];
  return text === undefined ? url : `${url}/search?q=${encodeURIComponent(text)}`;
}

/** The message contains no text of the story. */
function withdrawnContent(
  site: ContentSite,
  subscription: Subscription,
  { subject, reason, createdAt }: ContentRequest,
): NotificationMessage {
  const { language } = subscription;
  const texts = notificationTexts[language];
  const publicId = subject.slice(subject.indexOf(':') + 1);
  return {
    event: 'story.withdrawn',
    language,
    title: texts.withdrawn(
      subscription.name,
      formatZonedDate(language, createdAt, zoneOf(subscription, site.zone ?? DEFAULT_ZONE)),
    ),
    entries: [],
    omittedCount: 0,
    link: { url: site.url, label: texts.open },
    isUrgent: false,
    data: {
      subscription: { id: subscription.id, name: subscription.name },
      reason,
      ...(subject.startsWith('story:') ? { story: { publicId } } : { story: null }),
    },
  };
}
