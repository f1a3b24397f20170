// Runs one program with arguments that no shell interprets. The program's environment is minimal,
// because the environment of this process contains secrets. Time, output, memory and files are
// limited. A timeout, an abort or too much output terminates the whole process group.
import { spawn } from 'node:child_process';
import { messageOf } from '../../kernel/errors/fault.ts';
import { startTimer } from '../../kernel/time/clock.ts';
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
  /** Limit of each written file; absent: `FILE_MAX_BYTES`. */
  readonly maxFileBytes?: number;
  /** Limit of the address space; null: none, for a program that loads a large model. */
  readonly maxMemoryBytes?: number | null;
  readonly signal?: AbortSignal;
};

export type CommandOutcome =
  | {
      readonly kind: 'ended';
      readonly status: number;
      readonly stdout: Buffer;
      readonly stderrEnd: string;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'failed'; readonly message: string };

const searchPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
const maxStderrLength = 16 * 1024;
const FILE_MAX_BYTES = 2 * 2 ** 30;
const MEMORY_MAX_BYTES = 4 * 2 ** 30;

/**
 * Sets the limits that the system supports, then executes the program. POSIX counts files in blocks
 * of 512 bytes and memory in KiB.
 */
const LIMITING_SCRIPT = 'ulimit -c 0; ulimit -f "$1"; ulimit -v "$2"; shift 2; exec "$@"';
/** POSIX: the shell found no such program. */
const NOT_FOUND = 127;

function limitedArgs({ file, args, maxFileBytes, maxMemoryBytes }: Command): readonly string[] {
  const fileBlocks = Math.ceil((maxFileBytes ?? FILE_MAX_BYTES) / 512);
  const memory = maxMemoryBytes === undefined ? MEMORY_MAX_BYTES : maxMemoryBytes;
  const memoryKib = memory === null ? 'unlimited' : String(Math.ceil(memory / 1024));
  return ['-c', LIMITING_SCRIPT, 'sh', String(fileBlocks), memoryKib, file, ...args];
}

/** Resolves when the program has ended; never rejects. `stderrEnd`: the end of standard error. */
export function runCommand(
  { clock }: Pick<World, 'clock'>,
  command: Command,
): Promise<CommandOutcome> {
  const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
  const child = spawn('/bin/sh', limitedArgs(command), {
    cwd: command.folder ?? '/',
    // A separate process group, so that the child processes of the program are also terminated.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // One thread per process, because several run concurrently and tesseract's threads mostly wait
    // for each other.
    env: {
      PATH: searchPath,
      LANG: 'C.UTF-8',
      HOME: '/nonexistent',
      OMP_THREAD_LIMIT: '1',
      // Each further arena of malloc reserves 64 MiB of the limited address space.
      MALLOC_ARENA_MAX: '2',
    },
  });
  let stopOutcome: CommandOutcome | null = null;
  const stop = (outcome: CommandOutcome) => {
    stopOutcome ??= outcome;
    killGroup(child.pid);
  };
  const onAbort = () => stop({ kind: 'aborted' });
  command.signal?.addEventListener('abort', onAbort, { once: true });
  if (command.signal?.aborted) onAbort();
  const cancelTimer = startTimer(clock, command.timeoutMs, () => stop({ kind: 'timed_out' }));
  const outputChunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > command.maxBytes) stop({ kind: 'too_large' });
    else outputChunks.push(chunk);
  });
  let stderrEnd = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderrEnd = (stderrEnd + chunk.toString('utf8')).slice(-maxStderrLength);
  });
  const end = (outcome: CommandOutcome) => {
    cancelTimer();
    command.signal?.removeEventListener('abort', onAbort);
    resolve(stopOutcome ?? outcome);
  };
  child.once('error', (error) => end({ kind: 'failed', message: messageOf(error) }));
  child.once('close', (status) => {
    if (status === NOT_FOUND) return end({ kind: 'missing' });
    end({ kind: 'ended', status: status ?? -1, stdout: Buffer.concat(outputChunks), stderrEnd });
  });
  // The program may end before it has read all of its input; this is not an error.
  child.stdin.on('error', () => {});
  child.stdin.end(command.input);
  return promise;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The program has ended already.
  }
}
