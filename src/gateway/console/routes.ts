// The whole console on one screen: every page and every act of whoever is signed in.
import type { ConsoleRoute } from './console-context.ts';
import { startPage } from './start.ts';

const get = (path: string, answer: ConsoleRoute['answer']): ConsoleRoute => ({
  method: 'GET',
  path: `/console${path}`,
  answer,
});

export const consoleRoutes: readonly ConsoleRoute[] = [get('', startPage)];
