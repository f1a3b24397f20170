// Lists all routes of the gateway's admin pages, with the right that each requires.
import { operatorRoutes } from '../../operators/pages/routes.ts';
import { accountPage } from './accounts/account.ts';
import {
  changeStatus,
  deleteAccount,
  deletePage,
  renderStatusPage,
} from './accounts/account-actions.ts';
import { callPage, callsPage, postRefund, refundPage } from './accounts/account-calls.ts';
import { keyRatePage, limitsPage, saveKeyRate, saveLimits } from './accounts/account-limits.ts';
import { creditPage, issueVoucherTo, postCredit, voucherPage } from './accounts/account-money.ts';
import { accountsPage } from './accounts/accounts.ts';
import {
  invitationsPage,
  makeInvitations,
  makeInvitesPage,
  revokeInvitation,
} from './accounts/invitations.ts';
import type { GatewayAdminRoute } from './admin-context.ts';
import { auditFile, auditPage } from './audit.ts';
import { ledgerPage, requestCheck } from './money/ledger.ts';
import { acceptProposal, importPrices, modelPricesPage } from './money/model-prices.ts';
import {
  cancelPrices,
  cancelPricesPage,
  capPage,
  renderChangePage,
  saveCap,
  showOrPlan,
} from './money/price-actions.ts';
import { pricesPage } from './money/prices.ts';
import { createRevenueFile, revenuePage } from './money/revenue.ts';
import { topUpPage } from './money/top-up.ts';
import { resolvePage, resolveTopUp, syncWithProvider } from './money/top-up-actions.ts';
import { topUpsPage } from './money/top-ups.ts';
import {
  makeBatch,
  makeBatchPage,
  renderWithdrawPage,
  vouchersPage,
  withdrawBatch,
} from './money/vouchers.ts';
import { chatPage, createChatFile } from './operations/chat.ts';
import { cancelJob, cancelPage, jobPage, jobsPage } from './operations/jobs.ts';
import { switchPage, toggleSwitch } from './operations/kill-switch.ts';
import { overviewPage } from './operations/overview.ts';
import { providerHistoryPage } from './operations/provider-history.ts';
import { providersPage } from './operations/providers.ts';

const get = (path: string, handle: GatewayAdminRoute['handle']): GatewayAdminRoute => ({
  method: 'GET',
  path: `/admin${path}`,
  right: 'read_gateway',
  handle,
});
const post =
  (requiredRight: GatewayAdminRoute['right']) =>
  (path: string, handle: GatewayAdminRoute['handle']): GatewayAdminRoute => ({
    method: 'POST',
    path: `/admin${path}`,
    right: requiredRight,
    handle,
  });
const postOperation = post('operate_gateway');
const postMoney = post('move_money');

export const adminRoutes: readonly GatewayAdminRoute[] = [
  get('', overviewPage),
  get('/revenue', revenuePage),
  get('/revenue.csv', createRevenueFile),
  get('/accounts', accountsPage),
  get('/accounts/:id', accountPage),
  get('/accounts/:id/credit', creditPage),
  postMoney('/accounts/:id/credit', postCredit),
  get('/accounts/:id/voucher', voucherPage),
  postMoney('/accounts/:id/voucher', issueVoucherTo),
  get('/accounts/:id/limits', limitsPage),
  postOperation('/accounts/:id/limits', saveLimits),
  get('/accounts/:id/keys/:keyId', keyRatePage),
  postOperation('/accounts/:id/keys/:keyId', saveKeyRate),
  get('/accounts/:id/suspend', (context, request) => renderStatusPage(context, request, 'suspend')),
  postOperation('/accounts/:id/suspend', (context, request) =>
    changeStatus(context, request, 'suspend'),
  ),
  get('/accounts/:id/resume', (context, request) => renderStatusPage(context, request, 'resume')),
  postOperation('/accounts/:id/resume', (context, request) =>
    changeStatus(context, request, 'resume'),
  ),
  get('/accounts/:id/delete', deletePage),
  post('delete_accounts')('/accounts/:id/delete', deleteAccount),
  get('/accounts/:id/calls', callsPage),
  get('/accounts/:id/calls/:requestId', callPage),
  get('/accounts/:id/calls/:requestId/refund', refundPage),
  postMoney('/accounts/:id/calls/:requestId/refund', postRefund),
  get('/top-ups', topUpsPage),
  get('/top-ups/:id', topUpPage),
  postOperation('/top-ups/:id/look', syncWithProvider),
  get('/top-ups/:id/settle', resolvePage),
  postMoney('/top-ups/:id/settle', resolveTopUp),
  get('/vouchers', vouchersPage),
  get('/vouchers/make', makeBatchPage),
  postMoney('/vouchers/make', makeBatch),
  get('/vouchers/:id/withdraw', renderWithdrawPage),
  postMoney('/vouchers/:id/withdraw', withdrawBatch),
  get('/invitations', invitationsPage),
  get('/invitations/make', makeInvitesPage),
  postMoney('/invitations/make', makeInvitations),
  postMoney('/invitations/:id/revoke', revokeInvitation),
  get('/prices', pricesPage),
  get('/prices/change', renderChangePage),
  postMoney('/prices/change', showOrPlan),
  get('/prices/allowance', capPage),
  postMoney('/prices/allowance', saveCap),
  get('/prices/models', modelPricesPage),
  postMoney('/prices/models', importPrices),
  postMoney('/prices/models/:id', acceptProposal),
  get('/prices/:version/withdraw', cancelPricesPage),
  postMoney('/prices/:version/withdraw', cancelPrices),
  get('/providers', providersPage),
  get('/providers/history', providerHistoryPage),
  get('/providers/switch', switchPage),
  postOperation('/providers/switch', toggleSwitch),
  get('/jobs', jobsPage),
  get('/jobs/:id', jobPage),
  get('/jobs/:id/cancel', cancelPage),
  postOperation('/jobs/:id/cancel', cancelJob),
  get('/chat', chatPage),
  get('/chat.csv', createChatFile),
  get('/ledger', ledgerPage),
  postOperation('/ledger/prove', requestCheck),
  get('/audit', auditPage),
  get('/audit.ndjson', auditFile('ndjson')),
  get('/audit.csv', auditFile('csv')),
  ...operatorRoutes,
];
