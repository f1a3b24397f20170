// `radar operator …`: the password of the operators.
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { Fault } from '../../kernel/errors/fault.ts';
import type { App } from '../app.ts';

export function operatorCommand(app: App): Command {
  const command = new Command('operator').description('Who runs the radar in the browser.');
  command
    .command('password')
    .description('Sets a new password for /admin, shown once, and ends all sessions.')
    .option('--stdin', 'take the password from standard input instead of making one')
    .action((options: { stdin?: boolean }) => setPassword(app, options.stdin ?? false));
  return command;
}

async function setPassword(app: App, isGiven: boolean): Promise<void> {
  const given = isGiven ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  const { newPassword, setOperatorPassword } = await import('../../operators/password.ts');
  await app.withApp(async ({ world, db }) => {
    const password = given ?? newPassword(world);
    const done = await setOperatorPassword(world, db, password);
    if (done.kind === 'invalid') throw new Fault('invalid_request', done.problem);
    if (given === null) app.terminal.out(`${password}\n`);
    app.terminal.note('The password is set, and all sessions are ended.\n');
  });
}
