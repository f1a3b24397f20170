// A command of the program in a checkout. It must succeed.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Returns what it prints. Not synchronous: servers of this process go on. */
export async function runRadar(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const env = { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...environment };
  return (await execute(join(folder, 'bin/radar'), args, { env })).stdout;
}
