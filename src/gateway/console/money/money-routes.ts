// Pages about money, calls and what can be called.

import type { ConsoleRoute } from '../shell/console-context.ts';
import { sendTrial, tryPage } from '../try/try-capability.ts';
import { callPage } from '../usage/call.ts';
import { callsPage } from '../usage/calls.ts';
import { catalogPage } from '../usage/catalog.ts';
import { usageFile, usagePage } from '../usage/usage.ts';
import { beginTopUp, topUpPage, topUpStandingPage } from './top-up.ts';
import { transactionsPage } from './transactions.ts';
import { redeem, walletPage } from './wallet.ts';

export const moneyRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/console/wallet', answer: walletPage },
  { method: 'POST', path: '/console/wallet/redeem', answer: redeem },
  { method: 'GET', path: '/console/top-up', answer: topUpPage },
  { method: 'POST', path: '/console/top-up', answer: beginTopUp },
  { method: 'GET', path: '/console/top-up/:id', answer: topUpStandingPage },
  { method: 'GET', path: '/console/transactions', answer: transactionsPage },
  { method: 'GET', path: '/console/calls', answer: callsPage },
  { method: 'GET', path: '/console/calls/:requestId', answer: callPage },
  { method: 'GET', path: '/console/usage', answer: usagePage },
  { method: 'GET', path: '/console/usage.csv', answer: usageFile },
  { method: 'GET', path: '/console/catalog', answer: catalogPage },
  { method: 'GET', path: '/console/catalog/:id', answer: tryPage },
  { method: 'POST', path: '/console/catalog/:id', answer: sendTrial },
];
