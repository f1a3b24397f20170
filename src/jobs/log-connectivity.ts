// Logs once when no server responds any more, which usually means a failure of the local network,
// and once when a server responds again.
import type { Log } from '../kernel/observability/log.ts';

/** Consecutive failures of this many different sources are unlikely to be a coincidence. */
const UNREACHABLE_SOURCES_MIN = 5;

/**
 * Receives the outcome of each fetch: its source, and whether a server responded with any status.
 */
export function openConnectivityLog(log: Log): (sourceId: string, hasResponded: boolean) => void {
  const unreachableSources = new Set<string>();
  return (sourceId, hasResponded) => {
    const wasUnreachable = unreachableSources.size >= UNREACHABLE_SOURCES_MIN;
    if (hasResponded) unreachableSources.clear();
    else unreachableSources.add(sourceId);
    const isLost = unreachableSources.size >= UNREACHABLE_SOURCES_MIN;
    if (isLost && !wasUnreachable) {
      log.warn({}, 'no source can be reached; check the network. All sources are retried');
    }
    if (wasUnreachable && !isLost) log.info({ source: sourceId }, 'sources can be reached again');
  };
}
