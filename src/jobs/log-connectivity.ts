// Says once that nobody answers any more, which is nearly always our own network, and once that
// somebody does again. What becomes of one source is in its own line.
import type { Log } from '../kernel/observability/log.ts';

/** So many different sources in a row without an answer are more than bad luck. */
const SILENT_SOURCES = 5;

/** Told of each reading: whose it was, and whether a server answered, whatever it said. */
export function watchReach(log: Log): (sourceId: string, isAnswered: boolean) => void {
  const silent = new Set<string>();
  return (sourceId, isAnswered) => {
    const wasLost = silent.size >= SILENT_SOURCES;
    if (isAnswered) silent.clear();
    else silent.add(sourceId);
    const isLost = silent.size >= SILENT_SOURCES;
    if (isLost && !wasLost) {
      log.warn({}, 'no source can be reached: is there a network? All are tried again and again');
    }
    if (wasLost && !isLost) log.info({ source: sourceId }, 'sources can be reached again');
  };
}
