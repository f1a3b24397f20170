// Metrics of the radar's server: requests by route and status, cached responses, and the read
// model. They contain nothing about clients.
import type { ServerResponse } from 'node:http';
import type { Metrics, Tally } from '../../kernel/observability/metrics.ts';
import { RANKING_KEY } from '../publication/documents/bodies.ts';
import { documentOf } from '../publication/read-model/documents.ts';
import { sizeOf } from '../publication/read-model/read-model.ts';
import type { ApiContext } from './context.ts';

export type RequestMeter = {
  /** Counts a cached response. */
  countCached(url: string, status: number): void;
  /** Counts any other response when it has been sent. */
  countWhenSent(url: string, res: ServerResponse): void;
};

/** Address prefixes and their kinds, the most frequent first. */
const kinds: readonly (readonly [prefix: string, kind: string])[] = [
  ['/api/v1/items', 'items'],
  ['/api/v1/hot-topics', 'hot-topics'],
  ['/api/v1/stories/', 'stories'],
  ['/api/v1/selected/changes', 'changes'],
  ['/api/v1/selected/snapshot', 'snapshot'],
  ['/api/v1/dailies', 'dailies'],
  ['/api/v1/weeklies', 'weeklies'],
  ['/api/v1/monthlies', 'monthlies'],
  ['/openapi-v1.json', 'openapi'],
  ['/problems/', 'problems'],
];

const OTHER = 'other';

export function openMeter(metrics: Metrics, { world, publication }: ApiContext): RequestMeter {
  const requests = metrics.counter(
    'radar_http_requests_total',
    'Responses of the radar by kind of address and status; "aborted": the client left first.',
    ['route', 'status'],
  );
  const responseCounts = metrics.counter(
    'radar_responses_total',
    'Responses of the public API: cached ones (ready) and computed ones (made).',
    ['from'],
  );
  const cachedCount = responseCounts.of('ready');
  const createdCount = responseCounts.of('made');
  const model = publication.readModel;
  const { now } = world.clock;
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge({ name, help, read: () => [{ value: read() }] });
  gauge('radar_read_model_version', 'Version of the read model.', () => model().version);
  gauge('radar_read_model_items', 'Items in the read model.', () => sizeOf(model()));
  metrics.gauge({
    name: 'radar_read_model_documents',
    help: 'Documents in the read model by kind.',
    labels: ['kind'],
    read: () =>
      [...model().documents.tables].map(([kind, { size }]) => ({
        labels: { kind },
        value: size,
      })),
  });
  metrics.gauge({
    name: 'radar_ranking_age_seconds',
    help: 'Time since the shown ranking was computed; absent before the first ranking.',
    read: () => {
      const ranking = documentOf(model(), 'ranking', RANKING_KEY);
      return ranking === null ? [] : [{ value: Math.max(0, now() - ranking.sortAt) / 1_000 }];
    },
  });
  gauge(
    'radar_read_model_age_seconds',
    'Time since the database last confirmed the read model.',
    () => Math.max(0, now() - publication.confirmedAt()) / 1_000,
  );

  const countsByKind = new Map<string, Map<number, Tally>>();
  const counterOf = (url: string, status: number) => {
    const kind = kindOf(url);
    const byStatus = countsByKind.get(kind) ?? new Map<number, Tally>();
    countsByKind.set(kind, byStatus);
    const counter =
      byStatus.get(status) ?? requests.of(kind, status === 0 ? 'aborted' : `${status}`);
    byStatus.set(status, counter);
    return counter;
  };
  return {
    countCached: (url, status) => {
      cachedCount.value += 1;
      counterOf(url, status).value += 1;
    },
    countWhenSent: (url, res) => {
      res.once('close', () => {
        const status = res.headersSent ? res.statusCode : 0;
        const isServed = status === 200 || status === 304;
        if (isServed && kindOf(url) !== OTHER) createdCount.value += 1;
        counterOf(url, status).value += 1;
      });
    },
  };
}

function kindOf(url: string): string {
  for (const [prefix, kind] of kinds) if (url.startsWith(prefix)) return kind;
  return OTHER;
}
