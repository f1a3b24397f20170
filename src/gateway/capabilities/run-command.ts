// Runs one program without a shell: an argument list, a minimal environment because the process's
// contains secrets, and limits on time and output. The whole process group is terminated at the
// end.
import { spawn } from 'node:child_process';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';

export type Command = {
  /** A name looked up in the usual folders, or a path. */
  readonly file: string;
  readonly args: readonly string[];
  /** The standard input of the program. */
  readonly input?: Uint8Array;
  /**
   * The working folder; the root when absent, so that the program finds no files of this process.
   */
  readonly folder?: string;
  readonly timeoutMs: number;
  /** Limit of standard output. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
};

export type CommandOutcome =
  | { readonly kind: 'ended'; readonly status: number; readonly out: Buffer; readonly note: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly message: string };

const searchPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
const maxNoteBytes = 16 * 1024;

/** Resolves when the program has ended. `note` is the end of its standard error. Never rejects. */
export function runCommand(
  { clock }: Pick<World, 'clock'>,
  command: Command,
): Promise<CommandOutcome> {
  const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
  const child = spawn(command.file, command.args, {
    cwd: command.folder ?? '/',
    // A separate process group, so that child processes end with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // One thread per process, because several run concurrently and tesseract's threads mostly wait
    // for each other.
    env: { PATH: searchPath, LANG: 'C.UTF-8', HOME: '/nonexistent', OMP_THREAD_LIMIT: '1' },
  });
  let verdict: CommandOutcome | null = null;
  const timeout = new AbortController();
  const stop = (outcome: CommandOutcome) => {
    verdict ??= outcome;
    endGroup(child.pid);
  };
  const onAbort = () => stop({ kind: 'aborted' });
  command.signal?.addEventListener('abort', onAbort, { once: true });
  if (command.signal?.aborted) onAbort();
  clock.sleep(command.timeoutMs, timeout.signal).then(
    () => stop({ kind: 'timed_out' }),
    () => {},
  );
  const out: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > command.maxBytes) stop({ kind: 'too_large' });
    else out.push(chunk);
  });
  let note = '';
  child.stderr.on('data', (chunk: Buffer) => {
    note = (note + chunk.toString('utf8')).slice(-maxNoteBytes);
  });
  const end = (outcome: CommandOutcome) => {
    timeout.abort();
    command.signal?.removeEventListener('abort', onAbort);
    resolve(verdict ?? outcome);
  };
  child.once('error', (error) => {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    end(isMissing ? { kind: 'missing' } : { kind: 'failed', message: messageOf(error) });
  });
  child.once('close', (status) => {
    end({ kind: 'ended', status: status ?? -1, out: Buffer.concat(out), note });
  });
  // The program may end before it has read all of its input; this is not an error.
  child.stdin.on('error', () => {});
  child.stdin.end(command.input);
  return promise;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The program has ended already.
  }
}
