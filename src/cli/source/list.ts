// `radar source list`: a table for people, JSON for programs.
import { toWireTime } from '../../kernel/time/calendar.ts';
import { type ListedSource, listSources } from '../../radar/sources/list-sources.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';

export async function listSourceRows(app: App, isJson: boolean): Promise<void> {
  const { sources, now } = await app.withApp(async ({ world, db }) => ({
    sources: await listSources(db),
    now: world.clock.now(),
  }));
  if (isJson) return app.terminal.out(`${JSON.stringify(sources.map(jsonRow), null, 2)}\n`);
  if (sources.length === 0) {
    return app.terminal.out('No sources yet. Add one: radar source add <address of a feed>\n');
  }
  const head = ['id', 'kind', 'tier', 'status', 'items', 'newest', 'lag', 'last fetch', 'next'];
  const rows = sources.map((source) => textRow(source, now));
  app.terminal.out(textTable([head, ...rows]));
}

function textRow(source: ListedSource, now: number): readonly string[] {
  const failureText = source.failures > 0 ? ` ×${source.failures}` : '';
  return [
    source.id,
    source.kind,
    source.tier,
    formatStatus(source),
    String(source.items),
    source.newestItemAt === null ? '–' : `${formatSpan(now - source.newestItemAt)} ago`,
    source.medianLagMs === null ? '–' : formatSpan(source.medianLagMs),
    (source.lastOutcome ?? 'never') +
      failureText +
      (source.lastMessage ? `: ${source.lastMessage}` : ''),
    formatNextFetch(source, now),
  ];
}

/** The progress of the first import while it runs; otherwise the status of the source. */
function formatStatus({ status, items, importing }: ListedSource): string {
  return importing > 0 ? `importing ${items - importing}/${items}` : status;
}

function formatNextFetch({ kind, status, nextReadAt }: ListedSource, now: number): string {
  if (kind === 'push' || status !== 'active') return '–';
  return nextReadAt === null || nextReadAt <= now ? 'now' : `in ${formatSpan(nextReadAt - now)}`;
}

/** A duration in its largest unit. */
function formatSpan(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

function jsonRow(source: ListedSource) {
  const { newestItemAt, lastSuccessAt, nextReadAt } = source;
  const time = (instant: number | null) => (instant === null ? null : toWireTime(instant));
  return {
    ...source,
    newestItemAt: time(newestItemAt),
    lastSuccessAt: time(lastSuccessAt),
    nextReadAt: time(nextReadAt),
  };
}
