// The page about models: spending, budgets, the model of each step. An edit never overwrites the
// edit of another operator. One test has an application without a model.
import { expect, test } from 'vitest';
import { listAuditLines } from '../../src/operators/audit-log.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { findRouting } from '../../src/store/model/model-routing.ts';
import { addToModelDay } from '../../src/store/model/model-spending.ts';
import { openTestAdmin } from './admin-session.ts';

const file = modelSchema.parse({
  models: { small: { budget: { day: { requests: 100, cost: '2' } } } },
});
const model = {
  url: 'http://127.0.0.1:9',
  key: 'canary',
  name: 'large',
  embeddingModel: null,
  file,
};
const admin = await openTestAdmin({ model });
const chineseAdmin = await openTestAdmin({ language: 'zh-CN' });

test('shows a day’s cost and the remaining budget, and never the key', async () => {
  const day = { day: '2026-08-22', step: 'score', model: 'large' };
  const counts = { requests: 1_234, answers: 1_230, failures: 4, unknown: 2, overBudget: 57 };
  await addToModelDay(admin.db, day, {
    ...counts,
    promptTokens: 9_000,
    answerTokens: 999,
    cost: 123_450_000n,
  });
  const operator = await admin.signIn();
  const { status, text } = await operator.get('/admin/model');
  expect(status).toBe(200);
  for (const expectedText of [
    '1,234',
    '10K',
    '1.2345',
    '/ 100 requests',
    '/ 2 CNY',
    '2 with unknown outcome',
  ]) {
    expect(text).toContain(expectedText);
  }
  expect(text).toContain('A budget of large was used up today: rules replaced 57 requests');
  expect(text).not.toContain('canary');
  const previousDay = { day: '2026-08-21', step: 'write', model: 'large' };
  await addToModelDay(admin.db, previousDay, { requests: 77 });
  const pageWithTwoDays = await operator.get('/admin/model');
  expect(pageWithTwoDays.text).toContain('<a href="/admin/model?day=2026-08-21">2026-08-21</a>');
  const otherDayPage = await operator.get('/admin/model?day=2026-08-21');
  expect(otherDayPage.text).toContain('<strong>2026-08-21</strong>');
  expect(otherDayPage.text).toContain('<a href="/admin/model?day=2026-08-22">2026-08-22</a>');
});

test('records the route of a step by one operator, and refuses a conflicting route', async () => {
  const [operator, otherOperator] = [await admin.signIn('Ada'), await admin.signIn('Bo')];
  const pageBefore = await otherOperator.get('/admin/model');
  const savedPage = await operator.submit('/admin/model', '/admin/model', { score: 'small' });
  expect(savedPage.text).toContain('Saved.');
  expect(await findRouting(admin.db)).toEqual({ version: 1, steps: { score: 'small' } });
  const query = { kinds: ['model'], subject: null, limit: 1, skip: 0 };
  const [line] = await listAuditLines(admin.db, query);
  expect(line).toMatchObject({
    actor: 'Ada',
    action: 'edit',
    kind: 'model',
    subject: 'routing',
    before: { score: null },
    after: { score: 'small' },
  });
  const token = /name="token" value="([^"]+)"/.exec(pageBefore.text)?.[1] ?? '';
  const lateResponse = await otherOperator.post('/admin/model', {
    token,
    version: '0',
    score: 'built-in',
  });
  expect(lateResponse.status).toBe(409);
  expect(lateResponse.text).toContain('Ada saved a change first.');
  const unchangedPage = await operator.submit('/admin/model', '/admin/model', {});
  expect(unchangedPage.text).toContain('nothing was changed');
  const responseWithoutToken = await operator.post('/admin/model', {
    token: '',
    version: '1',
    score: 'small',
  });
  expect(responseWithoutToken.status).toBe(403);
});

test('reports an unknown model beside its field', async () => {
  const operator = await admin.signIn();
  const refusal = await operator.submit('/admin/model', '/admin/model', { write: 'unheard-of' });
  expect(refusal.status).toBe(422);
  expect(refusal.text).toContain('unheard-of is not configured');
});

test('a Chinese radar without a model states that none is configured', async () => {
  const { text } = await (await chineseAdmin.signIn()).get('/admin/model');
  expect(text).toContain('没有配置模型');
});
