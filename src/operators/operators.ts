// The operators of an installation: the first owner, invitations, roles and removals. Every change
// has its row in the audit log. One owner with a password always remains.
import { createHash } from 'node:crypto';
import { hashPassword } from '../kernel/crypto/password.ts';
import { type PasswordProblem, passwordProblems } from '../kernel/crypto/password-problem.ts';
import type { Db } from '../kernel/ports/db.ts';
import { DAY_MS } from '../kernel/time/durations.ts';
import type { World } from '../kernel/world.ts';
import {
  deleteOperatorSessions,
  hasOperatorSession,
} from '../store/operators/operator-sessions.ts';
import {
  acceptInvitation,
  deleteOperator,
  deleteOperatorFactor,
  findInvitation,
  findOperatorByName,
  findOperatorRow,
  insertOperator,
  listOperatorRows,
  lockOperator,
  lockOperators,
  type OperatorRole,
  type OperatorRow,
  setOperatorHash,
  setOperatorRole,
} from '../store/operators/operators.ts';
import { inTransaction } from '../store/platform/db.ts';
import { type AuditActor, type AuditEntry, withAudit } from './audit-log.ts';

/** The operator that the first start creates. */
export const FIRST_OWNER = 'owner';

const INVITATION_MS = 7 * DAY_MS;
const OPERATOR_NAME_MAX = 60;

export type OperatorAccount = {
  readonly id: string;
  /** Unique, also when the case of ASCII letters is ignored. The audit log contains it. */
  readonly name: string;
  readonly role: OperatorRole;
  readonly hasTotp: boolean;
  /** Epoch milliseconds; null: the operator has a password. */
  readonly invitedUntil: number | null;
  readonly createdAt: number;
};

const operatorOf = (row: OperatorRow): OperatorAccount => ({
  id: row.id,
  name: row.name,
  role: row.role,
  hasTotp: row.totp_secret !== null,
  invitedUntil: row.invited_until,
  createdAt: row.created_at,
});

/** Oldest first. */
export const listOperators = async (db: Db): Promise<readonly OperatorAccount[]> =>
  (await listOperatorRows(db)).map(operatorOf);

async function findOperator(db: Db, id: string): Promise<OperatorAccount | null> {
  const row = await findOperatorRow(db, id);
  return row === null ? null : operatorOf(row);
}

export async function findOperatorAccount(db: Db, name: string): Promise<OperatorAccount | null> {
  const row = await findOperatorByName(db, name);
  return row === null ? null : operatorOf(row);
}

/** Twenty random characters. */
export const generatePassword = ({ random }: World): string =>
  Buffer.from(random.bytes(15)).toString('base64url');

/**
 * Creates the first owner when there is no operator. `savePassword` runs before the commit. If it
 * ran later and failed, the password would be lost and no operator could sign in.
 */
export async function createFirstOwner(
  world: World,
  db: Db,
  savePassword: (password: string) => void,
): Promise<void> {
  if ((await listOperatorRows(db)).length > 0) return;
  const password = generatePassword(world);
  const hash = await hashPassword(world, password);
  await inTransaction(db, async (tx) => {
    const id = 'operator_owner';
    const owner = { id, name: FIRST_OWNER, role: 'owner', hash, invitation: null } as const;
    // Another node may have created the first owner meanwhile.
    if (await insertOperator(tx, { ...owner, now: world.clock.now() })) savePassword(password);
  });
}

export type OperatorProblem =
  | 'name'
  | 'name_taken'
  | 'role'
  | 'not_found'
  | 'last_owner'
  /** Operators cannot remove themselves or change their own role. */
  | 'self';

export type InvitationResult =
  /** `token`: part of the invitation's address, shown once. */
  | { readonly kind: 'invited'; readonly operator: OperatorAccount; readonly token: string }
  | { readonly kind: 'refused'; readonly problem: OperatorProblem };

/** The invitation is valid for seven days. */
export async function inviteOperator(
  world: World,
  db: Db,
  input: { readonly name: string; readonly role: OperatorRole; readonly by: AuditActor },
): Promise<InvitationResult> {
  const name = input.name.trim();
  if (name === '' || [...name].length > OPERATOR_NAME_MAX || /[\p{C}<>]/u.test(name)) {
    return { kind: 'refused', problem: 'name' };
  }
  const { role } = input;
  const token = Buffer.from(world.random.bytes(24)).toString('base64url');
  const now = world.clock.now();
  const id = `operator_${world.ids.next()}`;
  const until = now + INVITATION_MS;
  const invitation = { hash: hashOf(token), until };
  return withAudit<InvitationResult>(world, db, input.by, async (tx) => {
    if (!(await insertOperator(tx, { id, name, role, hash: null, invitation, now }))) {
      return { outcome: { kind: 'refused', problem: 'name_taken' }, entry: null };
    }
    const operator = { id, name, role, hasTotp: false, invitedUntil: until, createdAt: now };
    const entry = entryOf('invite', operator, {}, { name, role });
    return { outcome: { kind: 'invited', operator, token }, entry };
  });
}

export type OperatorChangeResult =
  | { readonly kind: 'changed'; readonly operator: OperatorAccount }
  | { readonly kind: 'refused'; readonly problem: OperatorProblem };

type OperatorChange = { readonly id: string; readonly by: AuditActor };

/** Sessions continue with the new role from their next request. */
export const changeRole = (
  world: World,
  db: Db,
  change: OperatorChange & { readonly role: OperatorRole },
): Promise<OperatorChangeResult> =>
  changeOperator(world, db, change, async (tx, { id, role, ...operator }) => {
    await setOperatorRole(tx, id, change.role);
    const changed = { ...operator, id, role: change.role };
    return entryOf('role', changed, { role }, { role: change.role });
  });

/** Deletes the operator; the sessions of the operator end. */
export const removeOperator = (
  world: World,
  db: Db,
  change: OperatorChange,
): Promise<OperatorChangeResult> =>
  changeOperator(world, db, change, async (tx, operator) => {
    await deleteOperator(tx, operator.id);
    const { name, role } = operator;
    return entryOf('remove', operator, { name, role }, {});
  });

/** Switches one-time codes off for an operator who lost the device; all their sessions end. */
export async function resetFactor(
  world: World,
  db: Db,
  { id, by }: OperatorChange,
): Promise<OperatorChangeResult> {
  return withAudit<OperatorChangeResult>(world, db, by, async (tx) => {
    const operator = await findOperator(tx, id);
    if (operator === null) {
      return { outcome: { kind: 'refused', problem: 'not_found' }, entry: null };
    }
    await deleteOperatorFactor(tx, id);
    await deleteOperatorSessions(tx, id, null);
    const entry = entryOf('factor_off', operator, { totp: operator.hasTotp }, { totp: false });
    return { outcome: { kind: 'changed', operator }, entry };
  });
}

async function changeOperator(
  world: World,
  db: Db,
  change: OperatorChange & { readonly role?: OperatorRole },
  work: (tx: Db, operator: OperatorAccount) => Promise<AuditEntry<'operator'>>,
): Promise<OperatorChangeResult> {
  return withAudit<OperatorChangeResult>(world, db, change.by, async (tx) => {
    const refusal = (problem: OperatorProblem) =>
      ({ outcome: { kind: 'refused', problem }, entry: null }) as const;
    const operators = await lockOperators(tx);
    const row = operators.find(({ id }) => id === change.id);
    if (row === undefined) return refusal('not_found');
    if (row.id === change.by.operatorId) return refusal('self');
    const owners = operators.filter(({ role, hash }) => role === 'owner' && hash !== null);
    const isLastOwner = owners.length === 1 && owners[0]?.id === row.id;
    if (isLastOwner && change.role !== 'owner') return refusal('last_owner');
    const operator = operatorOf(row);
    return { outcome: { kind: 'changed', operator }, entry: await work(tx, operator) };
  });
}

function entryOf(
  action: string,
  { name }: OperatorAccount,
  before: AuditEntry['before'],
  after: AuditEntry['after'],
): AuditEntry<'operator'> {
  return { action, kind: 'operator', subject: name, before, after, note: null };
}

export type PasswordResult =
  | { readonly kind: 'set' }
  | { readonly kind: 'invalid'; readonly problems: readonly PasswordProblem[] }
  /** The operator was removed, or `session` has ended. */
  | { readonly kind: 'not_found' };

/** `session`: the session that continues; null: all sessions of the operator end. */
export async function setOperatorPassword(
  world: World,
  db: Db,
  input: {
    readonly id: string;
    readonly password: string;
    readonly session: string | null;
    readonly by: AuditActor;
  },
): Promise<PasswordResult> {
  const operator = await findOperator(db, input.id);
  if (operator === null) return { kind: 'not_found' };
  const problems = await passwordProblems(input.password, operator.name);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const hash = await hashPassword(world, input.password);
  return withAudit<PasswordResult>(world, db, input.by, async (tx) => {
    await lockOperator(tx, operator.id);
    // Another session may have changed the password meanwhile, and has ended this session.
    if (input.session !== null && !(await hasOperatorSession(tx, input.session))) {
      return { outcome: { kind: 'not_found' }, entry: null };
    }
    await setOperatorHash(tx, operator.id, hash);
    await deleteOperatorSessions(tx, operator.id, input.session);
    return { outcome: { kind: 'set' }, entry: entryOf('password', operator, {}, {}) };
  });
}

/** The operator of an open invitation; null: no such invitation. */
export async function readInvitation(
  world: World,
  db: Db,
  token: string,
): Promise<OperatorAccount | null> {
  const row = await findInvitation(db, hashOf(token), world.clock.now());
  return row === null ? null : operatorOf(row);
}

export type AcceptanceResult =
  | { readonly kind: 'accepted'; readonly name: string }
  | {
      readonly kind: 'invalid';
      readonly name: string;
      readonly problems: readonly PasswordProblem[];
    }
  /** The invitation was accepted, withdrawn, or has expired. */
  | { readonly kind: 'invalid_invitation' };

export async function acceptOperatorInvitation(
  world: World,
  db: Db,
  {
    token,
    password,
    address,
  }: { readonly token: string; readonly password: string; readonly address: string },
): Promise<AcceptanceResult> {
  const operator = await readInvitation(world, db, token);
  if (operator === null) return { kind: 'invalid_invitation' };
  const { name } = operator;
  const problems = await passwordProblems(password, name);
  if (problems.length > 0) return { kind: 'invalid', name, problems };
  const hash = await hashPassword(world, password);
  const by = { name, operatorId: operator.id, address };
  return withAudit<AcceptanceResult>(world, db, by, async (tx) => {
    const invitation = { hash: hashOf(token), now: world.clock.now() };
    if (!(await acceptInvitation(tx, invitation, hash))) {
      return { outcome: { kind: 'invalid_invitation' }, entry: null };
    }
    return { outcome: { kind: 'accepted', name }, entry: entryOf('accept', operator, {}, {}) };
  });
}

const hashOf = (token: string) => createHash('sha256').update(`invitation\n${token}`).digest();
