// Routes about money, calls and the catalog.

import type { ConsoleRoute } from '../shell/console-context.ts';
import { sendTrial, tryPage } from '../try/try-capability.ts';
import { callPage, sendAgain } from '../usage/call.ts';
import { callsPage } from '../usage/calls.ts';
import { catalogPage } from '../usage/catalog.ts';
import { modelsPage } from '../usage/models.ts';
import { usageFile, usagePage } from '../usage/usage.ts';
import { receiptPage } from './receipt.ts';
import { redirectToCurrentMonth, statementPage } from './statement.ts';
import { beginTopUp, topUpPage, topUpStatusPage } from './top-up.ts';
import { transactionsPage } from './transactions.ts';
import { redeemCode, walletPage } from './wallet.ts';

export const moneyRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/console/wallet', handle: walletPage },
  { method: 'POST', path: '/console/wallet/redeem', handle: redeemCode },
  { method: 'GET', path: '/console/top-up', handle: topUpPage },
  { method: 'POST', path: '/console/top-up', handle: beginTopUp },
  { method: 'GET', path: '/console/top-up/:id', handle: topUpStatusPage },
  { method: 'GET', path: '/console/top-up/:id/receipt', handle: receiptPage },
  { method: 'GET', path: '/console/statements', handle: redirectToCurrentMonth },
  { method: 'GET', path: '/console/statements/:month', handle: statementPage },
  { method: 'GET', path: '/console/transactions', handle: transactionsPage },
  { method: 'GET', path: '/console/calls', handle: callsPage },
  { method: 'GET', path: '/console/calls/:requestId', handle: callPage },
  { method: 'POST', path: '/console/calls/:requestId/again', handle: sendAgain },
  { method: 'GET', path: '/console/usage', handle: usagePage },
  { method: 'GET', path: '/console/usage.csv', handle: usageFile },
  { method: 'GET', path: '/console/catalog', handle: catalogPage },
  { method: 'GET', path: '/console/models', handle: modelsPage },
  { method: 'GET', path: '/console/catalog/:id', handle: tryPage },
  { method: 'POST', path: '/console/catalog/:id', handle: sendTrial },
];
