// `radar account list|suspend|resume|confirm|limit`: lists accounts and changes their status, their
// address and their limits.
import {
  confirmAddress,
  listAccounts,
  resumeAccount,
  setCallLimits,
  suspendAccount,
} from '../../gateway/accounts/account.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';
import { requireExistingAccount } from './find-account.ts';

export async function printAccounts(app: App, isJson: boolean): Promise<void> {
  const accounts = await app.withApp(({ db }) => listAccounts(db));
  const rows = accounts.map((account) => ({
    ...account,
    createdAt: toWireTime(account.createdAt),
  }));
  if (isJson) return app.terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
  if (rows.length === 0) {
    return app.terminal.out('No accounts yet. Add one: radar account add <email>\n');
  }
  const head = ['id', 'email', 'status', 'since'];
  const cells = rows.map(({ id, email, status, createdAt }) => [id, email, status, createdAt]);
  app.terminal.out(textTable([head, ...cells]));
}

export async function changeAccountStatus(
  app: App,
  accountName: string,
  change: 'suspend' | 'resume',
): Promise<void> {
  await app.withApp(async ({ db }) => {
    const { id } = await requireExistingAccount(db, accountName);
    await (change === 'suspend' ? suspendAccount(db, id) : resumeAccount(db, id));
    app.terminal.out(`${id} is ${change === 'suspend' ? 'suspended' : 'active'}.\n`);
  });
}

export async function confirmAccount(app: App, accountName: string): Promise<void> {
  await app.withApp(async ({ db }) => {
    const { id, email } = await requireExistingAccount(db, accountName);
    await confirmAddress(db, id);
    app.terminal.out(`${id}: ${email} is confirmed.\n`);
  });
}

export async function limitAccount(
  app: App,
  accountName: string,
  { perDay, perMonth }: { readonly perDay?: string; readonly perMonth?: string },
): Promise<void> {
  await app.withApp(async ({ db }) => {
    const { id } = await requireExistingAccount(db, accountName);
    await setCallLimits(db, id, {
      perDay: parseCallLimit(perDay),
      perMonth: parseCallLimit(perMonth),
    });
    const limitText = (text: string | undefined) => text ?? 'the limit of the installation';
    app.terminal.out(`${id}: ${limitText(perDay)} a day, ${limitText(perMonth)} a month.\n`);
  });
}

function parseCallLimit(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return Number(text);
  throw new Fault('invalid_request', `"${text}" is no number of calls.`);
}
