// A paused source takes nothing in, and again once it is resumed.
import { expect, test } from 'vitest';
import { changeSourceStatus } from '../../../src/radar/sources/set-status.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { openPushDoor } from '../../support/push-endpoint.ts';
import { openTestHouse } from '../../support/test-radar.ts';

const house = await openTestHouse();
const door = await openPushDoor(house);
const batch = { source: 'agents', items: [{ url: 'https://halden.example/a', title: 'About a' }] };

test('paused: refused; resumed: taken in', async () => {
  await changeSourceStatus(house.world, house.db, 'agents', 'paused');
  expectProblem(await door.push(batch), {
    status: 409,
    code: 'source_paused',
    title: 'Source paused',
    detail: 'The source agents is paused: nothing is taken in.',
  });
  expect(await door.queued()).toEqual({});
  await changeSourceStatus(house.world, house.db, 'agents', 'active');
  expect((await door.push(batch)).body).toEqual({ created: 1, updated: 0, unchanged: 0 });
});
