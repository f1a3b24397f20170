// Every page for whoever is not signed in.
import type { OutsideRoute } from './console-context.ts';
import { signInRoute } from './sign-in.ts';

export const outsideRoutes: readonly OutsideRoute[] = [signInRoute];
