// Data about each publisher's server: its format, its addresses, and at most one fault or habit.
import { requirePresent } from '../../src/kernel/errors/assert.ts';

export type Format = 'rss' | 'rdf' | 'atom' | 'json-feed' | 'web-list' | 'json-list';

export type PublisherFault =
  /** The bytes are UTF-8, but the document declares gb2312. */
  | 'wrong-encoding'
  /** Raw ampersands, unclosed tags, unknown entities, and a missing end. */
  | 'broken-xml'
  /** The feed has moved permanently (301), and every link goes through a counter (302). */
  | 'redirects'
  /** A new ETag for every response, and never a 304. */
  | 'never-304'
  /** 503 with Retry-After for hours at a time. */
  | 'goes-down'
  | 'edits-silently'
  | 'withdraws'
  | 'republishes'
  | 'roundups'
  | 'none';

export type Profile = {
  readonly id: string;
  readonly format: Format;
  readonly fault: PublisherFault;
  readonly validators: 'etag' | 'last-modified' | 'both' | 'none';
  /** Path of the feed or page that the radar polls. */
  readonly path: string;
  readonly links: 'dated' | 'flat' | 'number' | 'query';
  readonly layout: 'gazette' | 'journal' | 'board' | 'portal';
  /** Full text in the feed, or only the first paragraph. */
  readonly hasFullText: boolean;
  /** Minimum number of entries in the feed. The feed grows if twelve hours have more entries. */
  readonly length: number;
};

const companyDefaults = { layout: 'journal', hasFullText: true, length: 20 } as const;
const feedDefaults = {
  format: 'rss',
  validators: 'etag',
  fault: 'none',
  path: '/feed.xml',
} as const;

export const profiles: readonly Profile[] = [
  { ...feedDefaults, ...companyDefaults, id: 'orrinfell', validators: 'both', links: 'flat' },
  {
    ...feedDefaults,
    ...companyDefaults,
    id: 'tessarune',
    format: 'atom',
    path: '/notes/atom.xml',
    links: 'dated',
    validators: 'last-modified',
  },
  {
    ...feedDefaults,
    ...companyDefaults,
    id: 'drumlin',
    format: 'web-list',
    path: '/log/',
    links: 'flat',
    validators: 'none',
  },
  {
    ...feedDefaults,
    ...companyDefaults,
    id: 'chengyan',
    format: 'json-list',
    path: '/api/news',
    links: 'number',
    layout: 'portal',
  },
  {
    ...feedDefaults,
    id: 'handbill',
    fault: 'never-304',
    validators: 'none',
    links: 'dated',
    layout: 'gazette',
    hasFullText: true,
    length: 30,
  },
  {
    ...feedDefaults,
    id: 'opensheaf',
    format: 'rdf',
    path: '/new.rdf',
    links: 'number',
    layout: 'journal',
    hasFullText: true,
    length: 25,
  },
  {
    ...feedDefaults,
    id: 'meridian',
    links: 'dated',
    layout: 'gazette',
    hasFullText: true,
    length: 50,
  },
  {
    ...feedDefaults,
    id: 'quayside',
    format: 'json-feed',
    path: '/feed.json',
    links: 'flat',
    fault: 'edits-silently',
    layout: 'gazette',
    hasFullText: true,
    length: 40,
  },
  {
    ...feedDefaults,
    id: 'ferrous',
    path: '/feed',
    fault: 'redirects',
    links: 'query',
    layout: 'portal',
    hasFullText: false,
    length: 30,
  },
  {
    ...feedDefaults,
    id: 'switchyard',
    format: 'atom',
    path: '/atom.xml',
    fault: 'goes-down',
    links: 'dated',
    layout: 'journal',
    hasFullText: true,
    length: 40,
  },
  {
    ...feedDefaults,
    id: 'lanternloom',
    format: 'web-list',
    path: '/essays',
    links: 'flat',
    validators: 'none',
    layout: 'journal',
    hasFullText: false,
    length: 20,
  },
  {
    ...feedDefaults,
    id: 'commons',
    path: '/latest.rss',
    fault: 'withdraws',
    links: 'query',
    layout: 'board',
    hasFullText: true,
    length: 40,
  },
  {
    ...feedDefaults,
    id: 'sluice',
    fault: 'roundups',
    links: 'flat',
    validators: 'last-modified',
    layout: 'journal',
    hasFullText: true,
    length: 20,
  },
  {
    ...feedDefaults,
    id: 'tidemark',
    path: '/index.rss',
    fault: 'republishes',
    links: 'dated',
    layout: 'portal',
    hasFullText: true,
    length: 40,
  },
  {
    ...feedDefaults,
    id: 'yunpu',
    path: '/rss/ai.xml',
    fault: 'wrong-encoding',
    links: 'number',
    layout: 'portal',
    hasFullText: true,
    length: 50,
  },
  {
    ...feedDefaults,
    id: 'caisuan',
    format: 'json-list',
    path: '/v2/articles.json',
    links: 'number',
    layout: 'portal',
    hasFullText: false,
    length: 30,
  },
  {
    ...feedDefaults,
    id: 'guixu',
    format: 'web-list',
    path: '/channel/ai',
    links: 'number',
    validators: 'none',
    layout: 'journal',
    hasFullText: false,
    length: 30,
  },
  {
    ...feedDefaults,
    id: 'moxingjie',
    path: '/rss',
    fault: 'broken-xml',
    links: 'query',
    layout: 'board',
    hasFullText: true,
    length: 30,
  },
];

export function profileOf(id: string): Profile {
  return requirePresent(
    profiles.find((profile) => profile.id === id),
    `profile ${id}`,
  );
}
