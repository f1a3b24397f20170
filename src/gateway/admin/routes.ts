// All routes of the gateway's admin pages.
import { accountPage } from './accounts/account.ts';
import { changeStatus, statusPage } from './accounts/account-actions.ts';
import { callPage, callsPage, giveRefund, refundPage } from './accounts/account-calls.ts';
import { keyRatePage, limitsPage, saveKeyRate, saveLimits } from './accounts/account-limits.ts';
import { creditPage, giveCredit, giveVoucher, voucherPage } from './accounts/account-money.ts';
import { accountsPage } from './accounts/accounts.ts';
import {
  invitationsPage,
  makeInvitations,
  makeInvitesPage,
  takeBack,
} from './accounts/invitations.ts';
import type { GatewayAdminRoute } from './admin-context.ts';
import { auditPage } from './audit.ts';
import { ledgerPage, proveNow } from './money/ledger.ts';
import { acceptProposal, importPrices, modelPricesPage } from './money/model-prices.ts';
import {
  callOff,
  callOffPage,
  capPage,
  changePage,
  planChange,
  saveCap,
} from './money/price-actions.ts';
import { pricesPage } from './money/prices.ts';
import { revenueFile, revenuePage } from './money/revenue.ts';
import { topUpPage } from './money/top-up.ts';
import { resolvePage, resolveTopUp, syncAgain } from './money/top-up-actions.ts';
import { topUpsPage } from './money/top-ups.ts';
import {
  makeBatch,
  makeBatchPage,
  vouchersPage,
  withdrawBatch,
  withdrawPage,
} from './money/vouchers.ts';
import { chatPage } from './operations/chat.ts';
import { cancelJob, cancelPage, jobPage, jobsPage } from './operations/jobs.ts';
import { switchPage, toggleSwitch } from './operations/kill-switch.ts';
import { overviewPage } from './operations/overview.ts';
import { providerHistoryPage } from './operations/provider-history.ts';
import { providersPage } from './operations/providers.ts';

const get = (path: string, answer: GatewayAdminRoute['answer']): GatewayAdminRoute => ({
  method: 'GET',
  path: `/admin${path}`,
  answer,
});
const post = (path: string, answer: GatewayAdminRoute['answer']): GatewayAdminRoute => ({
  method: 'POST',
  path: `/admin${path}`,
  answer,
});

export const adminRoutes: readonly GatewayAdminRoute[] = [
  get('', overviewPage),
  get('/revenue', revenuePage),
  get('/revenue.csv', revenueFile),
  get('/accounts', accountsPage),
  get('/accounts/:id', accountPage),
  get('/accounts/:id/credit', creditPage),
  post('/accounts/:id/credit', giveCredit),
  get('/accounts/:id/voucher', voucherPage),
  post('/accounts/:id/voucher', giveVoucher),
  get('/accounts/:id/limits', limitsPage),
  post('/accounts/:id/limits', saveLimits),
  get('/accounts/:id/keys/:keyId', keyRatePage),
  post('/accounts/:id/keys/:keyId', saveKeyRate),
  get('/accounts/:id/suspend', (context, request) => statusPage(context, request, 'suspend')),
  post('/accounts/:id/suspend', (context, request) => changeStatus(context, request, 'suspend')),
  get('/accounts/:id/resume', (context, request) => statusPage(context, request, 'resume')),
  post('/accounts/:id/resume', (context, request) => changeStatus(context, request, 'resume')),
  get('/accounts/:id/calls', callsPage),
  get('/accounts/:id/calls/:requestId', callPage),
  get('/accounts/:id/calls/:requestId/refund', refundPage),
  post('/accounts/:id/calls/:requestId/refund', giveRefund),
  get('/top-ups', topUpsPage),
  get('/top-ups/:id', topUpPage),
  post('/top-ups/:id/look', syncAgain),
  get('/top-ups/:id/settle', resolvePage),
  post('/top-ups/:id/settle', resolveTopUp),
  get('/vouchers', vouchersPage),
  get('/vouchers/make', makeBatchPage),
  post('/vouchers/make', makeBatch),
  get('/vouchers/:id/withdraw', withdrawPage),
  post('/vouchers/:id/withdraw', withdrawBatch),
  get('/invitations', invitationsPage),
  get('/invitations/make', makeInvitesPage),
  post('/invitations/make', makeInvitations),
  post('/invitations/:id/revoke', takeBack),
  get('/prices', pricesPage),
  get('/prices/change', changePage),
  post('/prices/change', planChange),
  get('/prices/allowance', capPage),
  post('/prices/allowance', saveCap),
  get('/prices/models', modelPricesPage),
  post('/prices/models', importPrices),
  post('/prices/models/:id', acceptProposal),
  get('/prices/:version/withdraw', callOffPage),
  post('/prices/:version/withdraw', callOff),
  get('/providers', providersPage),
  get('/providers/history', providerHistoryPage),
  get('/providers/switch', switchPage),
  post('/providers/switch', toggleSwitch),
  get('/jobs', jobsPage),
  get('/jobs/:id', jobPage),
  get('/jobs/:id/cancel', cancelPage),
  post('/jobs/:id/cancel', cancelJob),
  get('/chat', chatPage),
  get('/ledger', ledgerPage),
  post('/ledger/prove', proveNow),
  get('/audit', auditPage),
];
