// Routes of the pages about operators, which both admin areas serve.
import type { OperatorPageRoute } from './operator-page-context.ts';
import { invite, operatorsPage, remove, resetOperatorFactor, saveRole } from './operators-page.ts';
import {
  codesPage,
  endOtherSessions,
  profilePage,
  renewCodes,
  savePassword,
  switchCodesOff,
  switchCodesOn,
} from './profile-page.ts';

const route = (
  method: 'GET' | 'POST',
  path: string,
  right: OperatorPageRoute['right'],
  handle: OperatorPageRoute['handle'],
): OperatorPageRoute => ({ method, path: `/admin${path}`, right, handle });

export const operatorRoutes: readonly OperatorPageRoute[] = [
  route('GET', '/operators', 'read_operators', operatorsPage),
  route('POST', '/operators/invite', 'manage_operators', invite),
  route('POST', '/operators/:id/role', 'manage_operators', saveRole),
  route('POST', '/operators/:id/remove', 'manage_operators', remove),
  route('POST', '/operators/:id/factor-off', 'manage_operators', resetOperatorFactor),
  route('GET', '/profile', 'sign_in', profilePage),
  route('POST', '/profile/password', 'sign_in', savePassword),
  route('GET', '/profile/codes', 'sign_in', codesPage),
  route('POST', '/profile/codes', 'sign_in', switchCodesOn),
  route('POST', '/profile/codes/off', 'sign_in', switchCodesOff),
  route('POST', '/profile/codes/renew', 'sign_in', renewCodes),
  route('POST', '/profile/sessions/end', 'sign_in', endOtherSessions),
];
