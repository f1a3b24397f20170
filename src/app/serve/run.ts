// One run of `radar serve`: the dependencies of all components, and the open components.
import type { OfflineApp, Terminal } from '../../cli/app.ts';
import type { Config } from '../../config.ts';
import type { WorkerDeps } from '../../jobs/start-worker.ts';
import type { ClientResolver } from '../../kernel/client-address/client-address.ts';
import type { Metrics } from '../../kernel/observability/metrics.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import type { OpenDatabase } from '../../store/platform/open-database.ts';

export type ServeOptions = {
  readonly parts: readonly string[];
  /** False: the database must have all migrations. Absent: missing migrations are applied. */
  readonly migrates?: boolean;
  readonly openDatabase: () => Promise<OpenDatabase>;
  readonly clockOffsetMs: number;
  readonly terminal: Terminal;
  /** Null or absent: the log is on standard error. */
  readonly logFile?: string | null;
  readonly version: string;
  /**
   * World of the gateway; absent: the radar's. They differ when the radar's clock is in the past.
   */
  readonly gatewayWorld?: World;
  /** Runs after the servers have opened and before the worker starts; ends early when aborted. */
  readonly beforeWork?: (
    db: Db,
    deps: Omit<WorkerDeps, 'queue'>,
    stop: AbortSignal,
  ) => Promise<void>;
  /**
   * True: a model enriches the items that `beforeWork` replays. Absent: it enriches new items only.
   */
  readonly enrichesReplay?: boolean;
  /** Receives the account that the first start creates. */
  readonly onFirstAccount?: (db: Db, accountId: string) => Promise<void>;
};

export type OpenComponent = {
  readonly name: string;
  /**
   * Refuses new connections, a moment before the component is closed. Resolves when no connection
   * is open.
   */
  readonly stopListening?: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Dependencies of every component of the process. */
export type AppRun = OfflineApp & {
  readonly config: Config;
  readonly clients: ClientResolver;
  readonly options: ServeOptions;
  readonly metrics: Metrics;
  /** Open components in order of opening. They are closed in reverse order. */
  readonly components: OpenComponent[];
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
};

/** A host in the notation of URLs: IPv6 addresses have brackets. */
export const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);
