// Messages for an operator when the embedded server cannot run. They name the folder and the
// remedy, and contain the server's own output.
import { statfsSync } from 'node:fs';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';

/** Explains a system error that occurred in the data folder. */
export function explainUnusableFolder(dataDir: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const advice = findAdvice(code ?? '');
  return new Fault(
    'temporarily_unavailable',
    advice === null
      ? `The data folder ${dataDir} cannot be used: ${messageOf(error)}.`
      : `The data folder ${dataDir} cannot be used: ${advice}${formatError(messageOf(error))}`,
    { cause: error },
  );
}

/** `output` is the output of initdb or the server; `status` is its exit status or signal. */
export function explainFailedStart(
  dataDir: string,
  { output, status }: { readonly output: string; readonly status: number | string | null },
): Fault {
  const reported = extractErrors(output);
  // On a full disk, the server cannot log the message about the full disk.
  const isFull = reported === '' && freeBytes(dataDir) < 1_000_000;
  const advice = isFull ? findAdvice('ENOSPC') : findAdvice(reported);
  return new Fault(
    'temporarily_unavailable',
    `The embedded PostgreSQL in ${dataDir} cannot start` +
      `${advice === null ? '.' : `: ${advice}`} ` +
      (reported === '' ? `It ended silently with ${status}.` : `The error was: ${reported}`),
  );
}

/**
 * The relevant lines of the server's output as one line, without times and process ids.
 * Informational lines are omitted with the hints that follow them: after a full disk, such a hint
 * warns of corrupted data.
 */
export function extractErrors(output: string): string {
  const reported = output.split('\n').map((line) => line.replace(/^\S+ \S+ \S+ \[\d+\] /, ''));
  const lines: string[] = [];
  let isInformational = false;
  for (const line of reported) {
    if (!/^(?:\t|(?:HINT|DETAIL|CONTEXT|STATEMENT|QUERY|LOCATION):)/.test(line)) {
      isInformational = line.startsWith('LOG:');
    }
    if (!isInformational && line.trim() !== '') lines.push(line.trim());
  }
  return lines.join(' ');
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function formatError(output: string): string {
  return output === '' ? '' : ` The error was: ${output}`;
}

const advices: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|EDQUOT|no space left|quota exceeded/i, 'its disk is full. Free some space there.'],
  [
    /EROFS|read-only file system/i,
    'it is on a read-only file system. Set DATA_DIR to a folder that can be written.',
  ],
  [
    /ENOTDIR|EEXIST/,
    'a file is in the way of a folder. Move it away, or set DATA_DIR to another folder.',
  ],
  [
    /EACCES|EPERM|permission denied/i,
    "this user may not write there. Give the folder to the user who runs this ('chown -R'), " +
      'or set DATA_DIR to another folder.',
  ],
  [
    /could not (create|map|get size of|open|resize) shared memory|out of memory|cannot allocate/i,
    'the machine has too little memory for it (it needs 128 MB).',
  ],
];

function findAdvice(text: string): string | null {
  return advices.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
