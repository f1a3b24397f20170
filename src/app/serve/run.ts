// One run of `radar serve`: what every part of the process is opened with, and what is open.
import type { OfflineApp, Terminal } from '../../cli/app.ts';
import type { Config } from '../../config.ts';
import type { WorkerParts } from '../../jobs/start-worker.ts';
import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import type { Metrics } from '../../kernel/observability/metrics.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import type { OpenDatabase } from '../../store/platform/open-database.ts';

export type ServeOptions = {
  readonly parts: readonly string[];
  /** False: the database must have all migrations. Absent: missing ones are applied. */
  readonly migrates?: boolean;
  readonly openDatabase: () => Promise<OpenDatabase>;
  readonly clockOffsetMs: number;
  readonly terminal: Terminal;
  /** Null or absent: the log is on standard error. */
  readonly logFile?: string | null;
  readonly version: string;
  /** The gateway's own, where the radar's clock stands in the past; absent: the same. */
  readonly gatewayWorld?: World;
  /** Runs after the servers have opened and before the worker starts; ends early when aborted. */
  readonly beforeWork?: (
    db: Db,
    parts: Omit<WorkerParts, 'queue'>,
    stop: AbortSignal,
  ) => Promise<void>;
  /**
   * Lets a model enrich what `beforeWork` replays. When absent, a model enriches new items only.
   */
  readonly paysForPast?: boolean;
  /** Opens the servers again with what the setup page stored; absent: a restart does. */
  readonly reopen?: () => void;
  /** Receives the account that the first start creates. */
  readonly onFirstAccount?: (db: Db, accountId: string) => Promise<void>;
};

/** What every part of the process is opened with. */
export type AppRun = OfflineApp & {
  readonly config: Config;
  readonly clients: ClientResolver;
  readonly options: ServeOptions;
  readonly metrics: Metrics;
  /** What is open, last opened last; closed from the end. */
  readonly opened: { readonly name: string; readonly close: () => Promise<void> }[];
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
};

/** A host as it stands in a URL. */
export const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);
