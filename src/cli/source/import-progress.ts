// `radar source add --wait`: shows the progress of the first import and returns when its items are
// public.
import { Fault } from '../../kernel/errors/fault.ts';
import { type ListedSource, listSources } from '../../radar/sources/list-sources.ts';
import type { App, CliApp } from '../app.ts';
import { openProgress } from '../progress.ts';

const POLL_INTERVAL_MS = 500;
/** Without a worker the import never ends. The command fails after this time without progress. */
const NO_WORKER_MS = 30_000;

export async function waitForImport(app: App, cliApp: CliApp, ids: readonly string[]) {
  const { clock } = cliApp.world;
  const progress = openProgress(clock, app.terminal);
  let lastText = '';
  let changedAt = clock.now();
  for (;;) {
    const sources = (await listSources(cliApp.db)).filter((source) => ids.includes(source.id));
    const currentText = JSON.stringify(
      sources.map(({ lastOutcome, importing }) => [lastOutcome, importing]),
    );
    if (currentText !== lastText) [lastText, changedAt] = [currentText, clock.now()];
    const waitingSources = sources.filter((source) => !isImported(source));
    progress.show(progressText(sources, waitingSources));
    if (waitingSources.length === 0) break;
    if (clock.now() - changedAt > NO_WORKER_MS) {
      progress.clear();
      throw new Fault(
        'temporarily_unavailable',
        'Nothing has happened for 30 seconds. Check that a worker runs. See: radar serve --help',
      );
    }
    await clock.sleep(POLL_INTERVAL_MS);
  }
  progress.clear();
  const failedCount = await printImportResults(app, cliApp, ids);
  if (failedCount > 0) {
    throw new Fault(
      'temporarily_unavailable',
      `${failedCount} of ${ids.length} sources could not be read yet.`,
    );
  }
}

const isImported = ({ kind, lastOutcome, importing }: ListedSource) =>
  kind === 'push' || (lastOutcome !== null && importing === 0);

function progressText(
  sources: readonly ListedSource[],
  waitingSources: readonly ListedSource[],
): string {
  if (sources.every(({ lastOutcome }) => lastOutcome === null)) return 'waiting for a worker';
  const items = sources.reduce((sum, source) => sum + source.items, 0);
  const remaining = sources.reduce((sum, source) => sum + source.importing, 0);
  const itemCounts = `${items - remaining}/${items} items`;
  if (sources.length === 1) return `importing ${itemCounts}`;
  const importedCount = sources.length - waitingSources.length;
  return `importing ${importedCount}/${sources.length} sources, ${itemCounts}`;
}

async function printImportResults(
  { terminal }: App,
  { db }: CliApp,
  ids: readonly string[],
): Promise<number> {
  const sources = (await listSources(db)).filter((source) => ids.includes(source.id));
  const failedSources = sources.filter((source) => source.failures > 0);
  for (const { id, items, failures, lastMessage } of sources) {
    if (failures > 0) terminal.note(`${id}: ${lastMessage}\n`);
    else terminal.out(`${id} is read: ${items} items\n`);
  }
  return failedSources.length;
}
