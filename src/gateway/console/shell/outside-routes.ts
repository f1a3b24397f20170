// Every page for whoever is not signed in.

import {
  newPasswordRoute,
  resetRoute,
  resetSentRoute,
  verifyRoute,
} from '../account/mail-links.ts';
import { newAddressRoute } from '../account/new-address.ts';
import { codeRoute, signInRoute } from '../account/sign-in.ts';
import { signUpRoute, signUpSentRoute } from '../account/sign-up.ts';
import type { OutsideRoute } from './console-context.ts';

export const outsideRoutes: readonly OutsideRoute[] = [
  signInRoute,
  codeRoute,
  signUpRoute,
  signUpSentRoute,
  verifyRoute,
  resetRoute,
  resetSentRoute,
  newPasswordRoute,
  newAddressRoute,
];
