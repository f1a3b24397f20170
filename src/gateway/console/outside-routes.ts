// Every page for whoever is not signed in.
import type { OutsideRoute } from './console-context.ts';
import { newPasswordRoute, resetRoute, resetSentRoute, verifyRoute } from './mail-links.ts';
import { newAddressRoute } from './new-address.ts';
import { codeRoute, signInRoute } from './sign-in.ts';
import { signUpRoute, signUpSentRoute } from './sign-up.ts';

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
