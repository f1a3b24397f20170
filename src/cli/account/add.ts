// `radar account add`: creates a customer and shows the password once.
import { text } from 'node:stream/consumers';
import { addAccount } from '../../gateway/accounts/account.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { App } from '../app.ts';

export async function addCustomer(app: App, email: string, isFromStdin: boolean): Promise<void> {
  const givenPassword = isFromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  const { terminal } = app;
  await app.withApp(async ({ world, db }) => {
    const password = givenPassword ?? Buffer.from(world.random.bytes(15)).toString('base64url');
    const result = await addAccount(world, db, {
      email,
      password,
      isPasswordChecked: givenPassword === null,
    });
    if (result.kind === 'invalid') throw new Fault('invalid_request', result.problem);
    if (result.kind === 'address_taken') {
      throw new Fault('invalid_request', `There is an account of ${email} already.`);
    }
    if (givenPassword === null) {
      terminal.note('The password of the account, shown only once:\n');
      terminal.note(`${password}\n`);
    }
    terminal.out(`${result.id}\n`);
  });
}
