// A process that uses the embedded server of a given folder, as `radar` does. Tests start it, close
// it, or kill it. It imports only files of the repository, so it also runs in a copy of these.
//
// argv: the data folder, 'durable' or 'quick', then settings as name=value. It prints one JSON line
// for each event; a line on standard input closes it.
import { once } from 'node:events';
import type { Fault } from '../../../src/kernel/errors/fault.ts';
import { openEmbeddedPostgres } from '../../../src/store/embedded-postgres/open.ts';

export type UserMessage =
  | { readonly kind: 'log'; readonly level: string; readonly message: string }
  | {
      readonly kind: 'open';
      readonly isStartedHere: boolean;
      readonly connection: { host: string; port: number; user: string; database: string };
    }
  | { readonly kind: 'fault'; readonly code: string; readonly message: string }
  | { readonly kind: 'closed' };

const printMessage = (message: UserMessage) => process.stdout.write(`${JSON.stringify(message)}\n`);
const logAt = (level: string) => (_: object, message: string) =>
  printMessage({ kind: 'log', level, message });
const log = {
  debug: logAt('debug'),
  info: logAt('info'),
  warn: logAt('warn'),
  error: logAt('error'),
};

const [dataDir = '', durability, ...settings] = process.argv.slice(2);
try {
  const { connection, isStartedHere, close } = await openEmbeddedPostgres(log, {
    dataDir,
    isDurable: durability === 'durable',
    settings: Object.fromEntries(settings.map((setting) => setting.split('=', 2))),
  });
  printMessage({ kind: 'open', isStartedHere, connection });
  await once(process.stdin, 'data');
  await close();
  printMessage({ kind: 'closed' });
} catch (error) {
  const { code, message } = error as Fault;
  printMessage({ kind: 'fault', code, message });
}
process.exit();
