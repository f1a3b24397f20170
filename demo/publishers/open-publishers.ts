// Opens each publisher as a real server on its own loopback port. A server shows the entries that
// are published at the clock's current time. Returns the source definitions of all publishers.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Publisher, publisherOf } from '../world/publishers.ts';
import type { DemoWorld } from '../world/world-model.ts';
import { type Profile, profiles } from './profiles.ts';
import { type PublisherResponse, type PublisherServer, respond } from './publisher-response.ts';
import { selectVisibleEntries, type VisibleEntries } from './visible-entries.ts';

/** A source definition, the JSON input of `radar source add`. */
export type SourceDefinition = {
  readonly id: string;
  readonly kind: 'feed' | 'web-list' | 'json-list';
  readonly name: string;
  readonly owner: string;
  readonly tier: 'T1' | 'T1_5' | 'T2';
  readonly language: string;
  readonly intervalMinutes: number;
  readonly participation: 'editorial' | 'signal' | 'isolated';
  /** `host:port` of the publisher's server on loopback, which only tests and the demo may reach. */
  readonly privateHosts: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
};

export type Publishers = {
  readonly sources: readonly SourceDefinition[];
  close(): Promise<void>;
};

/** `clock` is read at every request, so moving it changes the published entries. */
export async function openPublishers(
  clock: { now(): number },
  world: DemoWorld,
): Promise<Publishers> {
  const byPublisher = Map.groupBy(world.entries, (entry) => entry.publisherId);
  const openedServers = await Promise.all(
    profiles.map(async (profile) => {
      const visibleEntries = selectVisibleEntries(profile, byPublisher.get(profile.id) ?? []);
      return openPublisher(clock, { profile, visibleEntries, worldNow: world.now });
    }),
  );
  return {
    sources: openedServers.map(({ source }) => source),
    close: async () => {
      await Promise.all(openedServers.map(({ server }) => closeServer(server)));
    },
  };
}

type PublisherOptions = {
  readonly profile: Profile;
  readonly visibleEntries: VisibleEntries;
  readonly worldNow: number;
};

async function openPublisher(
  clock: { now(): number },
  { profile, visibleEntries, worldNow }: PublisherOptions,
): Promise<{ readonly server: Server; readonly source: SourceDefinition }> {
  const publisher = publisherOf(profile.id);
  let site: PublisherServer | null = null;
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    const publisherRequest = {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      count: requestCount,
      ifNoneMatch: request.headers['if-none-match'] ?? null,
      ifModifiedSince: request.headers['if-modified-since'] ?? null,
    };
    const reply: PublisherResponse =
      site === null
        ? { status: 503, headers: {}, body: '' }
        : respond(site, publisherRequest, clock.now());
    const hasNoBody = request.method === 'HEAD' || reply.status === 304;
    const body = Buffer.from(reply.body, 'utf8');
    const date = new Date(clock.now()).toUTCString();
    response.sendDate = false;
    response.writeHead(reply.status, {
      date,
      ...reply.headers,
      ...(reply.status === 304 ? {} : { 'content-length': String(body.byteLength) }),
    });
    response.end(hasNoBody ? undefined : body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  site = { profile, publisher, visibleEntries, origin: `http://${host}`, worldNow };
  return { server, source: sourceOf(profile, publisher, host) };
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function sourceOf(profile: Profile, publisher: Publisher, host: string): SourceDefinition {
  const url = `http://${host}${profile.path}`;
  const { id, name, owner, tier, intervalMinutes, participation } = publisher;
  const commonFields = { id, name, owner, tier, intervalMinutes, participation };
  const location = { language: publisher.lang, privateHosts: [host] };
  if (profile.format === 'web-list') {
    return {
      ...commonFields,
      ...location,
      kind: 'web-list',
      settings: { url, ...webListSettings(publisher) },
    };
  }
  if (profile.format === 'json-list') {
    return {
      ...commonFields,
      ...location,
      kind: 'json-list',
      settings: { url, ...jsonListSettings(profile, host) },
    };
  }
  return { ...commonFields, ...location, kind: 'feed', settings: { url } };
}

function webListSettings(publisher: Publisher): Readonly<Record<string, unknown>> {
  const list = {
    item: 'li.entry',
    link: 'a.entry-link',
    title: 'a.entry-link',
    date: 'time.entry-date',
    summary: 'p.teaser',
  };
  const detail = { content: '.post-content', author: '.post-meta .author' };
  return publisher.lang === 'en'
    ? { ...list, dateAttribute: 'datetime', detail }
    : { ...list, timeZone: 'Asia/Shanghai', detail };
}

function jsonListSettings(profile: Profile, host: string): Readonly<Record<string, unknown>> {
  if (profile.id === 'chengyan') {
    return {
      items: 'data.list',
      id: 'newsId',
      title: 'headline',
      summary: 'abstract',
      content: 'bodyHtml',
      author: 'editor.name',
      date: 'publishTime',
      dateFormat: 'epoch-ms',
      urlTemplate: `http://${host}/a/{newsId}.html`,
    };
  }
  return {
    items: '$',
    id: 'id',
    title: 'title',
    link: 'url',
    summary: 'digest',
    author: 'author',
    date: 'ctime',
    dateFormat: 'iso',
  };
}
