// A saved query with a schedule and a channel, checked field by field.
import { z } from 'zod';
import type { QuietHours } from '../../kernel/time/local-times.ts';
import type { SubscriptionKind } from '../../store/schema/notifications.ts';
import { parseQuery } from '../publication/search/query.ts';
import { problemKey, problemOf, type SubscriptionProblem } from './subscription-problems.ts';

/** An empty list sets no condition. */
export type NewsMatch = {
  /** Search texts; an item must match at least one. */
  readonly any: readonly string[];
  /** Search texts; an item must match none. */
  readonly none: readonly string[];
  readonly categories: readonly string[];
  readonly sources: readonly string[];
  readonly mode: 'selected' | 'all';
  readonly minScore: number | null;
  readonly languages: readonly ('en' | 'zh')[];
};

export type FollowedStory = { readonly story: string };
export type ReportMatch = { readonly reports: readonly ('daily' | 'weekly' | 'monthly')[] };
export type AlertMatch = { readonly severity: 'warn' | 'page' };

export type Schedule =
  | { readonly at: 'instant' }
  /** Minutes, counted from midnight in `zone`, which is absent in rows of earlier versions. */
  | { readonly every: number; readonly zone?: string | undefined }
  /** Local times such as 08:00; days of the week, where 1 is Monday. */
  | { readonly daily: readonly string[]; readonly days: readonly number[]; readonly zone: string };

type Query =
  | { readonly kind: 'news'; readonly match: NewsMatch }
  | { readonly kind: 'story'; readonly match: FollowedStory }
  | { readonly kind: 'report'; readonly match: ReportMatch }
  | { readonly kind: 'alerts'; readonly match: AlertMatch };

export type SubscriptionInput = Query & {
  readonly name: string;
  readonly channel: string;
  readonly language: 'en' | 'zh-CN';
  readonly schedule: Schedule;
  readonly quiet: QuietHours | null;
  /** Whether contradictions, corrections and withdrawals of sent stories are sent too. */
  readonly updates: boolean;
};

export type Subscription = SubscriptionInput & {
  readonly id: string;
  readonly state: 'on' | 'paused' | 'ended';
  readonly nextAt: number | null;
  readonly version: number;
  readonly createdAt: number;
};

/** The zone of the subscription's local times; `fallback`: the zone of the installation. */
export function zoneOf(
  { schedule, quiet }: Pick<SubscriptionInput, 'schedule' | 'quiet'>,
  fallback: string,
): string {
  const scheduledZone = 'at' in schedule ? undefined : schedule.zone;
  return scheduledZone ?? quiet?.zone ?? fallback;
}

export type ParsedSubscription =
  | { readonly kind: 'valid'; readonly input: SubscriptionInput }
  | { readonly kind: 'invalid'; readonly problems: readonly SubscriptionProblem[] };

/** The zone of an installation that sets none. */
export const DEFAULT_ZONE = 'Asia/Shanghai';
const TEXTS_MAX = 10;
const MINUTES_MIN = 15;
const DAY_MINUTES = 1440;

const queryText = z.string().refine((text) => parseQuery(text).kind === 'query', {
  message: problemKey('queryText'),
});
const texts = z.array(queryText).max(TEXTS_MAX, problemKey('texts')).default([]);
const names = z.array(z.string().min(1).max(200)).max(100).default([]);

const newsMatch = z
  .strictObject({
    any: texts,
    none: texts,
    categories: names,
    sources: names,
    mode: z.enum(['selected', 'all']).default('selected'),
    minScore: z
      .int(problemKey('score'))
      .min(0, problemKey('score'))
      .max(100, problemKey('score'))
      .nullable()
      .default(null),
    languages: z.array(z.enum(['en', 'zh'])).default([]),
  })
  .refine(
    ({ any, categories, sources, minScore }) =>
      any.length + categories.length + sources.length > 0 || minScore !== null,
    { message: problemKey('condition') },
  );

const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, problemKey('localTime'));
const zone = z.string().refine(isZone, { message: problemKey('zone') });

const everyMinutes = z
  .int(problemKey('minutes'))
  .refine((minutes) => minutes >= MINUTES_MIN && DAY_MINUTES % minutes === 0, {
    message: problemKey('minutes'),
  });

const schedule = z.union(
  [
    z.strictObject({ at: z.literal('instant') }),
    z.strictObject({ every: everyMinutes, zone: zone.optional() }),
    z.strictObject({
      daily: z.array(localTime).min(1, problemKey('localTime')).max(24),
      days: z.array(z.int().min(1).max(7)).min(1).default([1, 2, 3, 4, 5, 6, 7]),
      zone: zone.optional(),
    }),
  ],
  problemKey('schedule'),
);

const quiet = z
  .strictObject({ from: localTime, to: localTime, zone: zone.optional() })
  .refine(({ from, to }) => from !== to, { message: problemKey('quiet') });

const matches = {
  news: newsMatch,
  story: z.strictObject({ story: z.string().min(1).max(100) }),
  report: z.strictObject({
    reports: z.array(z.enum(['daily', 'weekly', 'monthly'])).min(1, problemKey('reports')),
  }),
  alerts: z.strictObject({ severity: z.enum(['warn', 'page']).default('warn') }),
} as const;

const commonFields = z.strictObject({
  name: z.string().trim().min(1, problemKey('name')).max(80, problemKey('nameLength')),
  kind: z.enum(['news', 'story', 'report', 'alerts']),
  channel: z.string().min(1, problemKey('channel')),
  language: z.enum(['en', 'zh-CN']).default('en'),
  match: z.unknown(),
  schedule: schedule.default({ at: 'instant' }),
  quiet: quiet.nullable().default(null),
  updates: z.boolean().default(true),
});

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Names every invalid field. Local times without a zone use the given zone of the installation. */
export function parseSubscription(value: unknown, zone = DEFAULT_ZONE): ParsedSubscription {
  const parsed = commonFields.safeParse(value);
  const kind = (value as { kind?: unknown } | null)?.kind;
  const schema = Object.hasOwn(matches, String(kind)) ? matches[kind as SubscriptionKind] : null;
  const match = schema?.safeParse((value as { match?: unknown }).match ?? {}) ?? null;
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => problemOf('', issue))),
    ...(match === null || match.success
      ? []
      : match.error.issues.map((issue) => problemOf('match', issue))),
  ];
  if (problems.length > 0 || !parsed.success || match === null || !match.success) {
    return { kind: 'invalid', problems };
  }
  const { schedule, quiet } = parsed.data;
  const input = {
    ...parsed.data,
    match: match.data,
    schedule: 'at' in schedule ? schedule : { ...schedule, zone: schedule.zone ?? zone },
    quiet: quiet && { ...quiet, zone: quiet.zone ?? zone },
  } as SubscriptionInput;
  return { kind: 'valid', input };
}
