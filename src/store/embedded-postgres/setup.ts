// All values that starting the embedded server of one data folder needs.
import type { ServerUser } from './choose-user.ts';
import type { Folders } from './folders.ts';
import type { Runtime } from './locate-runtime.ts';

export type Setup = {
  readonly folders: Folders;
  readonly runtime: Runtime;
  readonly user: ServerUser;
  /** Whether an acknowledged commit survives a power failure. */
  readonly isDurable: boolean;
  /** PostgreSQL settings that override those of `server-settings.ts`. */
  readonly settings: Readonly<Record<string, string>>;
};
