// Serves a test's publication with the radar's HTTP server, on a free port.

import { openClientResolver } from '../../src/kernel/client-address/client-address.ts';
import { openMetricsAccess } from '../../src/kernel/http/metrics-access.ts';
import { openMetrics } from '../../src/kernel/observability/metrics.ts';
import type { World } from '../../src/kernel/world.ts';
import { openRadarServer, type ServerOptions } from '../../src/radar/api/open-radar-server.ts';
import { openMeter } from '../../src/radar/api/radar-metrics.ts';
import {
  type FilterOptions,
  openRequestFilter,
} from '../../src/radar/api/request-filter/request-filter.ts';
import { openItemRenderer } from '../../src/radar/api/wire-item.ts';
import { openPages } from '../../src/radar/pages/open-pages.ts';
import type { Publication } from '../../src/radar/publication/open-publication.ts';
import { atEnd } from './at-end.ts';

const categories = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'];

const noLimits: FilterOptions = {
  clients: openClientResolver({ trustProxy: [] }),
  limits: { requestsPerSecond: 0, burst: 1 },
  blocked: { agents: [] },
};

/** Returns the server's address. The site's public address is `https://radar.example`. */
export async function openTestServer(
  world: World,
  publication: Publication,
  filterOptions: FilterOptions = noLimits,
  {
    language = 'en',
    labels = {},
    ...otherOptions
  }: Pick<ServerOptions, 'ingest' | 'admin'> & {
    language?: 'en' | 'zh-CN';
    labels?: Readonly<Record<string, string>>;
  } = {},
): Promise<string> {
  const site = {
    url: 'https://radar.example',
    name: 'Content Radar',
    hasAihotLinks: true,
    language,
  } as const;
  const publicWorld = { ...world, clock: publication.clock };
  const shared = { world: publicWorld, publication, site, categories, labels };
  const pages = openPages(shared);
  const context = { ...shared, items: openItemRenderer(site), pages };
  const metrics = openMetrics();
  const canReadMetrics = openMetricsAccess({ allow: [], clients: filterOptions.clients });
  const server = await openRadarServer(context, {
    ...otherOptions,
    host: '127.0.0.1',
    port: 0,
    requestFilter: openRequestFilter(world, filterOptions),
    meter: openMeter(metrics, context),
    operator: {
      findNotReadyReason: () => null,
      metrics: async (req) => (canReadMetrics(req) ? metrics.text() : null),
    },
  });
  atEnd(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}
