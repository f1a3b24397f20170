// `radar operator …`: operators of the admin areas.
import { text } from 'node:stream/consumers';
import { Argument, Command, Option } from 'commander';
import { passwordProblemText } from '../../kernel/crypto/password-problem.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { SHELL } from '../../operators/audit-log.ts';
import type {
  OperatorAccount,
  OperatorChangeResult,
  OperatorProblem,
} from '../../operators/operators.ts';
import { operatorPageMessages } from '../../operators/pages/messages.ts';
import { type OperatorRole, operatorRoles } from '../../operators/roles.ts';
import type { App, CliApp } from '../app.ts';
import { textTable } from '../text-table.ts';

const ROLES = `One of ${operatorRoles.join(', ')}.`;

export function operatorCommand(app: App): Command {
  const command = new Command('operator').description('Operators of the admin areas.');
  command
    .command('list')
    .description('Prints every operator with the role and the second factor.')
    .action(() => printOperators(app));
  command
    .command('invite')
    .description('Prints the path at which a new operator chooses a password.')
    .argument('<name>', 'the name in the audit log')
    .addOption(new Option('--role <role>', ROLES).choices([...operatorRoles]).makeOptionMandatory())
    .action((name: string, options: { role: OperatorRole }) =>
      printInvitation(app, name, options.role),
    );
  command
    .command('role')
    .description('Changes the role of an operator.')
    .argument('<name>')
    .addArgument(new Argument('<role>', ROLES).choices([...operatorRoles]))
    .action((name: string, role: OperatorRole) =>
      changeOperator(app, name, 'has a new role', async (world, db, { id }) => {
        const { changeRole } = await import('../../operators/operators.ts');
        return changeRole(world, db, { id, role, by: SHELL });
      }),
    );
  command
    .command('remove')
    .description('Removes an operator and ends all sessions of that operator.')
    .argument('<name>')
    .action((name: string) =>
      changeOperator(app, name, 'is removed', async (world, db, { id }) => {
        const { removeOperator } = await import('../../operators/operators.ts');
        return removeOperator(world, db, { id, by: SHELL });
      }),
    );
  command
    .command('factor-off')
    .description('Switches one-time codes off for an operator who lost the device.')
    .argument('<name>')
    .action((name: string) =>
      changeOperator(app, name, 'has no one-time codes any more', async (world, db, { id }) => {
        const { resetFactor } = await import('../../operators/operators.ts');
        return resetFactor(world, db, { id, by: SHELL });
      }),
    );
  command
    .command('password')
    .description('Sets a new password for /admin, shown once, and ends all sessions.')
    .option('--name <name>', 'the operator; the first owner by default')
    .option('--stdin', 'read the password from standard input instead of generating one')
    .action((options: { stdin?: boolean; name?: string }) => setPassword(app, options));
  return command;
}

async function printOperators(app: App): Promise<void> {
  const { listOperators } = await import('../../operators/operators.ts');
  await app.withApp(async ({ db }) => {
    const rows = (await listOperators(db)).map(({ name, role, hasTotp, invitedUntil }) => [
      name,
      role,
      hasTotp ? 'one-time codes' : 'password only',
      invitedUntil === null ? 'active' : `invited until ${new Date(invitedUntil).toISOString()}`,
    ]);
    app.terminal.out(textTable(rows));
  });
}

async function printInvitation(app: App, name: string, role: OperatorRole): Promise<void> {
  const { inviteOperator } = await import('../../operators/operators.ts');
  await app.withApp(async ({ world, db }) => {
    const result = await inviteOperator(world, db, { name, role, by: SHELL });
    if (result.kind === 'refused') throw refusalFault(name, result.problem);
    const query = new URLSearchParams({ invitation: result.token });
    app.terminal.out(`/admin/invitation?${query}\n`);
    app.terminal.note(
      `${name} is invited as ${role}. ` +
        'This path of the radar or the gateway works once, within seven days.\n',
    );
  });
}

type Change = (
  world: CliApp['world'],
  db: Db,
  operator: OperatorAccount,
) => Promise<OperatorChangeResult>;

async function changeOperator(
  app: App,
  name: string,
  description: string,
  work: Change,
): Promise<void> {
  const { findOperatorAccount } = await import('../../operators/operators.ts');
  await app.withApp(async ({ world, db }) => {
    const operator = await findOperatorAccount(db, name);
    if (operator === null) throw refusalFault(name, 'not_found');
    const result = await work(world, db, operator);
    if (result.kind === 'refused') throw refusalFault(name, result.problem);
    app.terminal.note(`${operator.name} ${description}.\n`);
  });
}

function refusalFault(name: string, problem: OperatorProblem): Fault {
  const text = operatorPageMessages('en').problems[problem];
  const advice = problem === 'not_found' ? ' `radar operator list` prints all of them.' : '';
  return new Fault('invalid_request', `${name}: ${text}${advice}`);
}

async function setPassword(
  app: App,
  { stdin = false, name }: { stdin?: boolean; name?: string },
): Promise<void> {
  const givenPassword = stdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  const { FIRST_OWNER, findOperatorAccount, generatePassword, setOperatorPassword } = await import(
    '../../operators/operators.ts'
  );
  await app.withApp(async ({ world, db }) => {
    const operator = await findOperatorAccount(db, name ?? FIRST_OWNER);
    if (operator === null) throw refusalFault(name ?? FIRST_OWNER, 'not_found');
    const password = givenPassword ?? generatePassword(world);
    const input = { id: operator.id, password, session: null, by: SHELL };
    const passwordResult = await setOperatorPassword(world, db, input);
    if (passwordResult.kind === 'invalid')
      throw new Fault('invalid_request', passwordProblemText(passwordResult.problems));
    if (givenPassword === null) app.terminal.out(`${password}\n`);
    app.terminal.note('The password is set, and all sessions are ended.\n');
  });
}
