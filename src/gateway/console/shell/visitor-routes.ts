// All console routes for a visitor who is not signed in.

import {
  newPasswordRoute,
  resetRoute,
  resetSentRoute,
  verifyRoute,
} from '../account/mail-links.ts';
import { newAddressRoute } from '../account/new-address.ts';
import { codeRoute, signInRoute } from '../account/sign-in.ts';
import { signUpRoute, signUpSentRoute } from '../account/sign-up.ts';
import { pricesRoute } from '../usage/public-prices.ts';
import { statusRoute } from '../usage/public-status.ts';
import type { VisitorRoute } from './console-context.ts';

export const visitorRoutes: readonly VisitorRoute[] = [
  signInRoute,
  codeRoute,
  signUpRoute,
  signUpSentRoute,
  verifyRoute,
  resetRoute,
  resetSentRoute,
  newPasswordRoute,
  newAddressRoute,
  pricesRoute,
  statusRoute,
];
