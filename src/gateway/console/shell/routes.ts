// All console routes for a signed-in account.
import {
  accountPage,
  changePassword,
  endOtherSessions,
  endSession,
  sendVerification,
} from '../account/account.ts';
import { sendAccountData } from '../account/account-data.ts';
import { cancelAddressChange, requestAddressChange } from '../account/change-address.ts';
import { deleteOwnAccount, deletionPage } from '../account/delete-account.ts';
import {
  renewRecoveryCodes,
  showCodeSetup,
  switchCodesOff,
  switchCodesOn,
} from '../account/one-time-codes.ts';
import { saveRequestLog } from '../account/request-log-setting.ts';
import { securityLogFile, securityLogPage } from '../account/security-log.ts';
import { budgetsPage, saveAlerts, saveKeyBudget } from '../keys/budgets.ts';
import { editKeyPage, saveKey } from '../keys/edit-key.ts';
import { isLiveKey, keyPage, revokeOwnKey, rotateOwnKey } from '../keys/key.ts';
import { keysPage } from '../keys/keys.ts';
import { newKeyPage, saveNewKey } from '../keys/new-key.ts';
import { moneyRoutes } from '../money/money-routes.ts';
import {
  removeWebhook,
  replaceSecret,
  retryDelivery,
  saveWebhook,
  testWebhook,
  webhookPage,
} from '../webhooks/webhook.ts';
import { addWebhook, webhooksPage } from '../webhooks/webhooks.ts';
import type { ConsoleRoute } from './console-context.ts';
import { startPage } from './start.ts';

const get = (path: string, handle: ConsoleRoute['handle']): ConsoleRoute => ({
  method: 'GET',
  path: `/console${path}`,
  handle,
});

const post = (path: string, handle: ConsoleRoute['handle']): ConsoleRoute => ({
  method: 'POST',
  path: `/console${path}`,
  handle,
});

/** Defines a form that requires a sign-in within the last ten minutes. */
const postSensitive = (
  path: string,
  handle: ConsoleRoute['handle'],
  isSensitive: ConsoleRoute['isSensitive'] = async () => true,
): ConsoleRoute => ({ method: 'POST', path: `/console${path}`, handle, isSensitive });

export const consoleRoutes: readonly ConsoleRoute[] = [
  get('', startPage),
  get('/keys', keysPage),
  get('/keys/new', newKeyPage),
  postSensitive('/keys/new', saveNewKey, async ({ livemode }) => livemode),
  get('/keys/:id', keyPage),
  get('/keys/:id/edit', editKeyPage),
  post('/keys/:id/edit', saveKey),
  postSensitive('/keys/:id/rotate', rotateOwnKey, isLiveKey),
  post('/keys/:id/revoke', revokeOwnKey),
  get('/account', accountPage),
  post('/account/password', changePassword),
  post('/account/verification', sendVerification),
  post('/account/address', requestAddressChange),
  post('/account/address/keep', cancelAddressChange),
  get('/account/one-time-codes', showCodeSetup),
  post('/account/one-time-codes', switchCodesOn),
  post('/account/one-time-codes/off', switchCodesOff),
  post('/account/one-time-codes/recovery', renewRecoveryCodes),
  post('/account/request-log', saveRequestLog),
  postSensitive('/account/data', sendAccountData),
  get('/account/delete', deletionPage),
  postSensitive('/account/delete', deleteOwnAccount),
  get('/account/security-log', securityLogPage),
  get('/account/security-log.ndjson', securityLogFile('ndjson')),
  get('/account/security-log.csv', securityLogFile('csv')),
  post('/account/sessions/end', endSession),
  post('/account/sessions/end-others', endOtherSessions),
  ...moneyRoutes,
  get('/webhooks', webhooksPage),
  postSensitive('/webhooks', addWebhook),
  get('/webhooks/:id', webhookPage),
  post('/webhooks/:id', saveWebhook),
  postSensitive('/webhooks/:id/secret', replaceSecret),
  post('/webhooks/:id/test', testWebhook),
  post('/webhooks/:id/again', retryDelivery),
  post('/webhooks/:id/remove', removeWebhook),
  get('/budgets', budgetsPage),
  post('/budgets/balance', saveAlerts),
  post('/budgets/key', saveKeyBudget),
];
