// Roles of operators, and the rights of each. Every page of both admin areas needs one right.
import { isRecentSignIn } from '../kernel/web/recent-sign-in.ts';
import type { OperatorRole } from '../store/operators/operators.ts';

export type { OperatorRole } from '../store/operators/operators.ts';

export const operatorRoles = ['owner', 'editor', 'treasurer', 'support', 'auditor'] as const;

export type OperatorRight =
  /** Pages that each operator may use, such as the operator's own profile. */
  | 'sign_in'
  | 'read_radar'
  /** Sources, items, stories, reports, channels, subscriptions and the model's routing. */
  | 'edit_radar'
  /** The setup page: the site's name and language, and the address and key of the model. */
  | 'configure'
  | 'read_gateway'
  /** Limits, suspensions, jobs, switches and integrity checks. */
  | 'operate_gateway'
  /** Credits, refunds, vouchers, top-ups, invitations and prices. */
  | 'move_money'
  /** Erasure of a customer's account on request, which nothing can undo. */
  | 'delete_accounts'
  | 'read_operators'
  | 'manage_operators';

const rightsByRole: Readonly<Record<OperatorRole, readonly OperatorRight[]>> = {
  owner: [
    ...(['sign_in', 'read_radar', 'edit_radar', 'configure', 'read_gateway'] as const),
    ...(['operate_gateway', 'move_money', 'delete_accounts'] as const),
    ...(['read_operators', 'manage_operators'] as const),
  ],
  editor: ['sign_in', 'read_radar', 'edit_radar'],
  treasurer: ['sign_in', 'read_gateway', 'move_money'],
  support: ['sign_in', 'read_gateway', 'operate_gateway'],
  auditor: ['sign_in', 'read_radar', 'read_gateway', 'read_operators'],
};

/** Rights that need a recent sign-in, because a stolen session must not be enough. */
const sensitiveRights: readonly OperatorRight[] = [
  'move_money',
  'delete_accounts',
  'manage_operators',
];

/** Roles that must have a second factor where other machines reach the installation. */
const powerfulRoles: readonly OperatorRole[] = ['owner', 'treasurer'];

export const hasRight = (role: OperatorRole, right: OperatorRight): boolean =>
  rightsByRole[role].includes(right);

/**
 * The sections of an area that a role may open. `readRight`: the right to read the area's pages.
 */
export const sectionsFor = <S extends string>(
  role: OperatorRole,
  sections: readonly S[],
  readRight: OperatorRight,
) => sections.filter((name) => hasRight(role, name === 'operators' ? 'read_operators' : readRight));

export const requiresSecondFactor = (role: OperatorRole): boolean => powerfulRoles.includes(role);

/**
 * Whether a session may use a route. `sign_in_again`: the right needs a recent sign-in. `refused`:
 * the role lacks the right.
 */
export function authorize(
  session: { readonly role: OperatorRole; readonly signedInAt: number },
  { right, method }: { readonly right: OperatorRight; readonly method: 'GET' | 'POST' },
  now: number,
): 'allowed' | 'sign_in_again' | 'refused' {
  if (!hasRight(session.role, right)) return 'refused';
  const isSensitive = method === 'POST' && sensitiveRights.includes(right);
  return isSensitive && !isRecentSignIn(session, now) ? 'sign_in_again' : 'allowed';
}
