// Lists all sources with the number of their items and the result of their last fetch.
import type { Db } from '../../kernel/ports/db.ts';
import { newFetchState, readFetchStates } from '../../store/radar/sources/fetch-states.ts';
import { listSourceHealth } from '../../store/radar/sources/fetches.ts';
import { listSources as listRows } from '../../store/radar/sources/sources.ts';
import { parseStoredWarnings } from './fetch/fetch-warning.ts';

export type ListedSource = Awaited<ReturnType<typeof listSources>>[number];

export async function listSources(db: Db) {
  const [sources, health] = [await listRows(db), await listSourceHealth(db)];
  const healthBySource = new Map(health.map((row) => [row.sourceId, row]));
  const fetchStates = await readFetchStates(db);
  return sources.map((source) => {
    const fetchState = fetchStates.get(source.id) ?? newFetchState(source.id);
    const {
      items = 0,
      importing = 0,
      newestItemAt,
      medianLagMs,
      lastOutcome,
      lastMessage,
      lastNotes,
    } = healthBySource.get(source.id) ?? {};
    return {
      id: source.id,
      name: source.name,
      kind: source.kind,
      tier: source.tier,
      status: source.status,
      url: source.url,
      version: source.version,
      items,
      importing,
      newestItemAt: newestItemAt ?? null,
      medianLagMs: medianLagMs ?? null,
      failures: fetchState.failures,
      lastSuccessAt: fetchState.last_success_at,
      nextReadAt: fetchState.next_read_at,
      lastOutcome: lastOutcome ?? null,
      lastMessage: lastMessage ?? null,
      lastNotes: parseStoredWarnings(lastNotes),
    };
  });
}
