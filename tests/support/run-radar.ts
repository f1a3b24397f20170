// Commands of the program in a checkout. They must succeed.
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
  const ran = await execute(join(folder, 'bin/radar'), args, { env }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`);
  });
  return ran.stdout;
}

/** An account with enough money for a proof; returns a key of it. */
export async function addPaidAccount(
  folder: string,
  environment: Readonly<Record<string, string>>,
  email: string,
): Promise<string> {
  const command = (...args: readonly string[]) => runRadar(folder, args, environment);
  await command('account', 'add', email);
  await command('account', 'credit', email, '1000000', '--paid', '--reference', 'p');
  return (await command('account', 'key', 'add', email)).trim();
}
