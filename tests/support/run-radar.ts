// Runs commands of the program in a checkout and fails when a command fails.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Returns what the command prints. It is asynchronous, so servers in this process continue to
 * respond.
 */
export async function runRadar(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const env = { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...environment };
  const result = await execute(join(folder, 'bin/radar'), args, { env }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`);
  });
  return result.stdout;
}

/** Creates an account with enough money for a proof, and returns a key of the account. */
export async function addPaidAccount(
  folder: string,
  environment: Readonly<Record<string, string>>,
  email: string,
): Promise<string> {
  const runCommand = (...args: readonly string[]) => runRadar(folder, args, environment);
  await runCommand('account', 'add', email);
  await runCommand('account', 'credit', email, '1000000', '--paid', '--reference', 'p');
  return (await runCommand('account', 'key', 'add', email)).trim();
}
