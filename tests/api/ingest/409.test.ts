// A paused source ingests nothing until it is resumed.
import { expect, test } from 'vitest';
import { changeSourceStatus } from '../../../src/radar/sources/set-status.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { openPushEndpoint } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const app = await openTestApp();
const endpoint = await openPushEndpoint(app);
const batch = { source: 'agents', items: [{ url: 'https://halden.example/a', title: 'About a' }] };

test('refuses a paused source, and accepts items after it resumes', async () => {
  await changeSourceStatus(app.world, app.db, 'agents', 'paused');
  expectProblem(await endpoint.push(batch), {
    status: 409,
    code: 'source_paused',
    title: 'Source paused',
    detail: 'The source agents is paused: nothing was stored.',
  });
  expect(await endpoint.countWaitingJobs()).toEqual({});
  await changeSourceStatus(app.world, app.db, 'agents', 'active');
  expect((await endpoint.push(batch)).body).toEqual({ created: 1, updated: 0, unchanged: 0 });
});
