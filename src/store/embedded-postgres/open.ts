// Opens the embedded PostgreSQL of a data folder. The first process starts the server, and all
// processes share it. The server stops with the last process, even after a crash.
import type { Log } from '../../kernel/observability/log.ts';
import { chooseUser } from './choose-user.ts';
import { explainUnusableFolder } from './explain-failure.ts';
import { prepareFolders } from './folders.ts';
import { openGuard } from './guard.ts';
import { superuser } from './init-cluster.ts';
import { keepRunning } from './keep-running.ts';
import { locateRuntime } from './locate-runtime.ts';
import { obtainServer } from './obtain-server.ts';
import { port } from './socket-folder.ts';

export type EmbeddedPostgres = {
  /**
   * For `pg.Pool`. `host` is the socket's folder (0700); access to the folder is the
   * authentication.
   */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  readonly isStartedHere: boolean;
  /** Releases the server, which stops when no other process uses it. */
  close(): Promise<void>;
};

export type EmbeddedOptions = {
  /** DATA_DIR; created when it is missing. */
  readonly dataDir: string;
  /** Whether an acknowledged commit survives a power failure; false only in tests. */
  readonly isDurable: boolean;
  /** PostgreSQL settings that override those of `server-settings.ts`. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** Throws a Fault `temporarily_unavailable` that names the remedy. */
export async function openEmbeddedPostgres(
  log: Log,
  { dataDir, isDurable, settings = {} }: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  try {
    const folders = prepareFolders(dataDir);
    const runtime = locateRuntime(folders.dataDir);
    const user = chooseUser(runtime, folders);
    const setup = { folders, runtime, user, isDurable, settings };
    const guard = await openGuard(log, folders);
    try {
      // Nothing aborts the first start.
      const { signal } = new AbortController();
      const server = await obtainServer(log, setup, { mayCreate: true, signal });
      const watch = keepRunning(log, setup, server);
      return {
        connection: { host: server.socketFolder, port, user: superuser, database: 'postgres' },
        isStartedHere: server.isStartedHere,
        close: async () => {
          await watch.stop();
          await guard.close();
        },
      };
    } catch (error) {
      await guard.close();
      throw error;
    }
  } catch (error) {
    throw explainUnusableFolder(dataDir, error);
  }
}
