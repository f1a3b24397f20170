// All pages and actions of the admin area.
import type { RadarAdminRoute } from './admin-context.ts';
import { auditPage } from './audit.ts';
import { correctItem, itemPage, withdrawItem } from './items/item.ts';
import { itemsPage } from './items/items.ts';
import { changeRouting, modelPage } from './model/model.ts';
import { healthPage } from './operations/health.ts';
import { runsPage } from './operations/runs.ts';
import { settingsPage } from './operations/settings.ts';
import { changeReport, reportPage } from './reports/report.ts';
import { previewPage, reportsPage, writeDue } from './reports/reports.ts';
import { progressPage } from './setup/progress-page.ts';
import { setupPage, startSetup } from './setup/setup-page.ts';
import { exportSources, importPage, importSources } from './sources/import-page.ts';
import { sourcePage } from './sources/source.ts';
import { changeSource, fetchNow, removeSourceHere } from './sources/source-actions.ts';
import {
  addSourcePage,
  editSourcePage,
  findSourcePage,
  saveAdded,
  saveEdited,
} from './sources/source-pages.ts';
import { sourcesPage } from './sources/sources.ts';
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

const get = (path: string, answer: RadarAdminRoute['answer']): RadarAdminRoute => ({
  method: 'GET',
  path: `/admin${path}`,
  answer,
});
const post = (path: string, answer: RadarAdminRoute['answer']): RadarAdminRoute => ({
  method: 'POST',
  path: `/admin${path}`,
  answer,
});

export const adminRoutes: readonly RadarAdminRoute[] = [
  get('', async () => ({ kind: 'moved', to: '/admin/sources' })),
  get('/setup', setupPage),
  post('/setup', startSetup),
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
  post('/sources/:id/remove', removeSourceHere),
  get('/items', itemsPage),
  get('/items/:id', itemPage),
  post('/items/:id/correct', correctItem),
  post('/items/:id/withdraw', (context, request) => withdrawItem(context, request, 'withdraw')),
  post('/items/:id/restore', (context, request) => withdrawItem(context, request, 'restore')),
  get('/stories', storiesPage),
  get('/stories/:id', storyPage),
  get('/stories/:id/merge', mergePage),
  post('/stories/:id/merge', mergeStory),
  post('/stories/:id/split', splitStory),
  post('/stories/:id/pin', pinStory),
  post('/stories/:id/unpin', unpinStory),
  post('/stories/:id/undo', undoStory),
  get('/ranking', rankingPage),
  get('/reports', reportsPage),
  get('/reports/next/:kind', previewPage),
  post('/reports/due', writeDue),
  get('/reports/:kind/:key', reportPage),
  post('/reports/:kind/:key', changeReport),
  get('/runs', runsPage),
  get('/health', healthPage),
  get('/model', modelPage),
  post('/model', changeRouting),
  get('/settings', settingsPage),
  get('/audit', auditPage),
];
