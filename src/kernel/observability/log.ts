// Opens structured logs (pino; one JSON line per entry, on standard error or in a file). Fields
// with secret names are redacted.
import { pino } from 'pino';

export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'token',
  'secret',
  'key',
  'apiKey',
  'databaseUrl',
  'connectionString',
];

export type LogOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly now: () => number;
  /**
   * The output for lines; absent: standard error, because standard output is reserved for results.
   */
  readonly write?: (line: string) => void;
  /** A file to which lines are appended; null or absent: standard error. */
  readonly file?: string | null;
};

export function openLog({ level, now, write, file = null }: LogOptions): Log {
  const paths = secretFields.flatMap((field) => [
    `["${field}"]`,
    `*["${field}"]`,
    `*.*["${field}"]`,
  ]);
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
    },
    write ? { write } : openDestination(file),
  );
}

const openDestination = (file: string | null) =>
  file === null ? pino.destination({ fd: 2, sync: true }) : openLogFile(file);

/** Readable by the owner only, because messages name accounts and addresses. */
const openLogFile = (destination: string) =>
  pino.destination({ dest: destination, append: true, mkdir: true, sync: true, mode: 0o600 });
