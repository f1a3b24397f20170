// All pages and actions of the admin area.
import { operatorRoutes } from '../../operators/pages/routes.ts';
import type { RadarAdminRoute } from './admin-context.ts';
import { auditFile, auditPage } from './audit.ts';
import { changeWithdrawal, correctItem, itemPage, withdrawPage } from './items/item.ts';
import { itemsPage, setCategory } from './items/items.ts';
import { changeRouting, modelPage } from './model/model.ts';
import { addChannelPage, saveChannel } from './notifications/add-channel.ts';
import { changeChannel, channelPage, testStoredChannel } from './notifications/channel-page.ts';
import { channelsPage } from './notifications/channels-page.ts';
import { changeDelivery, deliveriesPage, deliveryPage } from './notifications/deliveries-page.ts';
import {
  addSubscriptionPage,
  changeSubscription,
  saveNewSubscription,
  saveSubscription,
  subscriptionPage,
} from './notifications/subscription-pages.ts';
import { subscriptionsPage } from './notifications/subscriptions-page.ts';
import { healthPage } from './operations/health.ts';
import { runsPage } from './operations/runs.ts';
import { settingsPage } from './operations/settings.ts';
import { changeReport, reportPage } from './reports/report.ts';
import { previewPage, reportsPage, writeDue } from './reports/reports.ts';
import { progressPage } from './setup/progress-page.ts';
import { setupPage, startSetup } from './setup/setup-page.ts';
import { exportSources, importPage, importSources } from './sources/import-page.ts';
import { sourcePage } from './sources/source.ts';
import { changeSource, fetchNow, removeStoredSource } from './sources/source-actions.ts';
import {
  addSourcePage,
  editSourcePage,
  findSourcePage,
  saveAdded,
  saveEdited,
} from './sources/source-pages.ts';
import { sourcesPage } from './sources/sources.ts';
import { placeStory } from './stories/place-story.ts';
import { rankingPage } from './stories/ranking.ts';
import { storiesPage } from './stories/stories.ts';
import { storyPage } from './stories/story.ts';
import {
  mergePage,
  mergeStory,
  pinStory,
  splitStory,
  undoStory,
  unpinStory,
} from './stories/story-actions.ts';

const get = (path: string, handle: RadarAdminRoute['handle']): RadarAdminRoute => ({
  method: 'GET',
  path: `/admin${path}`,
  right: 'read_radar',
  handle,
});
const post = (path: string, handle: RadarAdminRoute['handle']): RadarAdminRoute => ({
  method: 'POST',
  path: `/admin${path}`,
  right: 'edit_radar',
  handle,
});

export const adminRoutes: readonly RadarAdminRoute[] = [
  get('', async () => ({ kind: 'moved', to: '/admin/sources' })),
  get('/setup', setupPage),
  { ...post('/setup', startSetup), right: 'configure' },
  get('/setup/progress', progressPage),
  get('/sources', sourcesPage),
  get('/sources/add', addSourcePage),
  post('/sources/add', saveAdded),
  post('/sources/find', findSourcePage),
  get('/sources/import', importPage),
  post('/sources/import', importSources),
  get('/sources.opml', exportSources),
  get('/sources/:id', sourcePage),
  get('/sources/:id/edit', editSourcePage),
  post('/sources/:id/edit', saveEdited),
  post('/sources/:id/pause', (context, request) => changeSource(context, request, 'paused')),
  post('/sources/:id/resume', (context, request) => changeSource(context, request, 'active')),
  post('/sources/:id/read', fetchNow),
  post('/sources/:id/remove', removeStoredSource),
  get('/items', itemsPage),
  post('/items/category', setCategory),
  get('/items/:id', itemPage),
  post('/items/:id/correct', correctItem),
  get('/items/:id/withdraw', withdrawPage),
  post('/items/:id/withdraw', (context, request) => changeWithdrawal(context, request, 'withdraw')),
  post('/items/:id/restore', (context, request) => changeWithdrawal(context, request, 'restore')),
  get('/stories', storiesPage),
  get('/stories/:id', storyPage),
  get('/stories/:id/merge', mergePage),
  post('/stories/:id/merge', mergeStory),
  post('/stories/:id/split', splitStory),
  post('/stories/:id/placement', placeStory),
  post('/stories/:id/pin', pinStory),
  post('/stories/:id/unpin', unpinStory),
  post('/stories/:id/undo', undoStory),
  get('/ranking', rankingPage),
  get('/reports', reportsPage),
  get('/reports/next/:kind', previewPage),
  post('/reports/due', writeDue),
  get('/reports/:kind/:key', reportPage),
  post('/reports/:kind/:key', changeReport),
  get('/channels', channelsPage),
  get('/channels/add', addChannelPage),
  post('/channels/add', saveChannel),
  get('/channels/:id', channelPage),
  post('/channels/:id/test', testStoredChannel),
  post('/channels/:id/on', (context, request) => changeChannel(context, request, 'on')),
  post('/channels/:id/off', (context, request) => changeChannel(context, request, 'off')),
  post('/channels/:id/remove', (context, request) => changeChannel(context, request, 'remove')),
  get('/subscriptions', subscriptionsPage),
  get('/subscriptions/add', addSubscriptionPage),
  post('/subscriptions/add', saveNewSubscription),
  get('/subscriptions/:id', subscriptionPage),
  post('/subscriptions/:id', saveSubscription),
  post('/subscriptions/:id/pause', (context, request) =>
    changeSubscription(context, request, 'pause'),
  ),
  post('/subscriptions/:id/resume', (context, request) =>
    changeSubscription(context, request, 'resume'),
  ),
  post('/subscriptions/:id/remove', (context, request) =>
    changeSubscription(context, request, 'remove'),
  ),
  get('/deliveries', deliveriesPage),
  get('/deliveries/:id', deliveryPage),
  post('/deliveries/:id/send', (context, request) => changeDelivery(context, request, 'send')),
  post('/deliveries/:id/drop', (context, request) => changeDelivery(context, request, 'drop')),
  get('/runs', runsPage),
  get('/health', healthPage),
  get('/model', modelPage),
  post('/model', changeRouting),
  get('/settings', settingsPage),
  get('/audit', auditPage),
  get('/audit.ndjson', auditFile('ndjson')),
  get('/audit.csv', auditFile('csv')),
  ...operatorRoutes,
];
