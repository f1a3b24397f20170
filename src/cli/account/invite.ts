// `radar account invite` and `password`: invitation codes for the sign-up, and new passwords.
import { text } from 'node:stream/consumers';
import { setPassword } from '../../gateway/accounts/change-password.ts';
import { listInvites, makeInvites, revokeInvite } from '../../gateway/accounts/invites.ts';
import { passwordProblems, passwordProblemText } from '../../kernel/crypto/password-problem.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { App } from '../app.ts';
import { textTable } from '../text-table.ts';
import { requireExistingAccount } from './find-account.ts';

type InviteOptions = { readonly count: string; readonly days: string; readonly note: string };

export async function makeInviteCodes(
  app: App,
  { count, days, note }: InviteOptions,
): Promise<void> {
  const input = { count: Number(count), days: Number(days), note, madeBy: 'command line' };
  const created = await app.withApp(({ world, db }) => makeInvites(world, db, input));
  app.terminal.note(
    `Each code creates one account within ${days} days. The codes are shown only once:\n`,
  );
  for (const { code } of created) app.terminal.out(`${code}\n`);
}

export async function listInviteCodes(app: App, isJson: boolean): Promise<void> {
  const invites = await app.withApp(({ world, db }) => listInvites(world, db));
  if (isJson) return app.terminal.out(`${JSON.stringify(invites, null, 2)}\n`);
  const rows = invites.map(({ id, prefix, state, note, expiresAt, accountId }) => [
    ...[id, `${prefix}-…`, state, toWireTime(expiresAt), accountId ?? '–', note],
  ]);
  app.terminal.out(textTable([['id', 'code', 'state', 'until', 'account', 'note'], ...rows]));
}

export async function revokeInviteCode(app: App, id: string): Promise<void> {
  const isRevoked = await app.withApp(({ world, db }) => revokeInvite(world, db, id));
  if (!isRevoked) throw new Fault('not_found', `There is no unused invitation ${id}.`);
  app.terminal.out(`${id} is revoked.\n`);
}

export async function renewPassword(
  app: App,
  accountName: string,
  isFromStdin: boolean,
): Promise<void> {
  const givenPassword = isFromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  await app.withApp(async ({ world, db }) => {
    const { id, email } = await requireExistingAccount(db, accountName);
    const problems = givenPassword === null ? [] : await passwordProblems(givenPassword, email);
    if (problems.length > 0) throw new Fault('invalid_request', passwordProblemText(problems));
    const password = givenPassword ?? Buffer.from(world.random.bytes(15)).toString('base64url');
    await setPassword(world, db, { accountId: id, password });
    app.terminal.note(`${email} is signed out everywhere. `);
    if (givenPassword !== null) return app.terminal.note('The new password is set.\n');
    app.terminal.note('The new password, shown only once:\n');
    app.terminal.out(`${password}\n`);
  });
}
