// Logs once when no server responds any more, which usually means a failure of the local network,
// and once when a server responds again.
import type { Log } from '../kernel/observability/log.ts';

/** Consecutive failures of this many different sources are unlikely to be a coincidence. */
const SILENT_SOURCES = 5;

/**
 * Receives the outcome of each fetch: its source, and whether a server responded with any status.
 */
export function logConnectivity(log: Log): (sourceId: string, hasResponded: boolean) => void {
  const silent = new Set<string>();
  return (sourceId, hasResponded) => {
    const wasLost = silent.size >= SILENT_SOURCES;
    if (hasResponded) silent.clear();
    else silent.add(sourceId);
    const isLost = silent.size >= SILENT_SOURCES;
    if (isLost && !wasLost) {
      log.warn({}, 'no source can be reached; check the network. All sources are retried');
    }
    if (wasLost && !isLost) log.info({ source: sourceId }, 'sources can be reached again');
  };
}
