// Operators' actions on stories take permanent effect on every worker. They can be undone once, and
// never overwrite a concurrent change.
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { mergeStories } from '../../src/radar/stories/operator/merge-stories.ts';
import {
  type PinRequest,
  pinItems,
  unpinItems,
} from '../../src/radar/stories/operator/pin-items.ts';
import type { ActionResult } from '../../src/radar/stories/operator/run-action.ts';
import { readStoryRecord } from '../../src/radar/stories/operator/show-story.ts';
import { splitByHand } from '../../src/radar/stories/operator/split-by-hand.ts';
import { undoAction } from '../../src/radar/stories/operator/undo-action.ts';
import { expectStoriesConsistent, hoursAgo, launchOf, openTestStories } from './test-stories.ts';

const testStories = await openTestStories();
const { world, clock, db, push, assign, stories, storyOf } = testStories;
const otherService = testStories.openService();
const begunAt = world.clock.now();
const editor = { actor: 'editor', note: null };
const anyVersion = (id: string) => ({ id, version: null });

const mergeTwo = async (a: string, b: string) =>
  mergeStories(world, db, {
    ...editor,
    stories: [anyVersion(await storyOf(a)), anyVersion(await storyOf(b))],
  });
const splitStory = async (storyId: string, itemIds: readonly string[]) =>
  splitByHand(world, db, {
    ...editor,
    story: anyVersion(await storyOf(storyId)),
    itemIds,
  });
const pin = (pinInput: PinRequest) => pinItems(world, db, { ...editor, pin: pinInput });
const undo = (actionId: string) => undoAction(world, db, { ...editor, actionId });

function requireDone(outcome: ActionResult) {
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome;
}

/** Runs the passes of the next day on two workers, and checks the tables. */
async function advanceTime() {
  clock.advance(3 * HOUR_MS);
  await assign();
  clock.advance(DAY_MS);
  await assign(otherService);
  await assign();
  await expectStoriesConsistent(db);
}

it('four reports of three events become three stories', async () => {
  await push(
    { id: 'o1', ...launchOf('Orrin 7', 0), at: hoursAgo(world, 9) },
    { id: 'o2', ...launchOf('Orrin 7', 1), at: hoursAgo(world, 8), source: 'b' },
    { id: 'h1', title: 'Quiet day at the harbour of Lund', at: hoursAgo(world, 7) },
    { id: 'h2', title: 'Storm closes the airport of Turku', at: hoursAgo(world, 6) },
  );
  await assign();
  expect(await stories()).toEqual([['h1'], ['h2'], ['o1', 'o2']]);
});

it('merged stories stay merged; the earlier survives and the other id redirects', async () => {
  const [survivorId, mergedId] = [await storyOf('h1'), await storyOf('h2')];
  const { actionId, storyIds } = requireDone(await mergeTwo('h2', 'h1'));
  expect(storyIds).toEqual([survivorId]);
  await advanceTime();
  expect(await stories()).toEqual([
    ['h1', 'h2'],
    ['o1', 'o2'],
  ]);
  expect((await readStoryRecord(db, mergedId))?.mergedInto).toBe(survivorId);
  const undoResult = requireDone(await undo(actionId));
  expect(await storyOf('h2')).toBe(mergedId);
  expect((await readStoryRecord(db, mergedId))?.mergedInto).toBeNull();
  await advanceTime();
  expect(await stories()).toEqual([['h1'], ['h2'], ['o1', 'o2']]);
  expect(await undo(actionId)).toEqual({
    kind: 'refused',
    because: 'undone_already',
    why: `The action was already undone by ${undoResult.actionId}.`,
  });
  expect(await undo(undoResult.actionId)).toEqual({
    kind: 'refused',
    because: 'is_an_undo',
    why: 'An undo cannot be undone: repeat the original action.',
  });
});

it('a repair pass merges the parts of a split story only after the split is undone', async () => {
  const { actionId, storyIds } = requireDone(await splitStory('o1', ['o2']));
  await advanceTime();
  expect(await stories()).toEqual([['h1'], ['h2'], ['o1'], ['o2']]);
  requireDone(await undo(actionId));
  const [survivor, newStory] = storyIds;
  expect((await readStoryRecord(db, newStory ?? ''))?.mergedInto).toBe(survivor);
  await advanceTime();
  expect(await storyOf('o2')).toBe(await storyOf('o1'));
});

it('later items join one of two separated stories and do not merge the two stories', async () => {
  const { actionId } = requireDone(await splitStory('o1', ['o2']));
  await push({ id: 'o3', ...launchOf('Orrin 7', 2), source: 'c', at: begunAt + HOUR_MS });
  await advanceTime();
  const [first, second] = [await storyOf('o1'), await storyOf('o2')];
  expect(first).not.toBe(second);
  expect([first, second]).toContain(await storyOf('o3'));
  requireDone(await undo(actionId));
  await advanceTime();
});

it('refuses an action on an outdated version', async () => {
  const story = { id: await storyOf('o1'), version: 1 };
  const request = { ...editor, story, itemIds: ['o2'] };
  const { version } = (await readStoryRecord(db, story.id)) ?? { version: 0 };
  expect(await splitByHand(world, db, request)).toEqual({
    kind: 'conflict',
    storyId: story.id,
    version,
  });
});

it('a pin separates, joins or isolates items that arrive before or after it', async () => {
  requireDone(await pin({ kind: 'must-link', items: ['h1', 'h2'] }));
  expect(await storyOf('h2')).toBe(await storyOf('h1'));
  const separation = requireDone(await pin({ kind: 'cannot-link', items: ['o1', 'o2'] }));
  await advanceTime();
  expect(await storyOf('o1')).not.toBe(await storyOf('o2'));
  requireDone(await pin({ kind: 'stand-alone', items: ['o1'] }));
  await push({ id: 'o4', ...launchOf('Orrin 7', 0) });
  await advanceTime();
  expect(await stories()).toContainEqual(['o1']);
  await push({ id: 'h3', title: 'A market opens in Porvoo' });
  requireDone(await pin({ kind: 'must-link', items: ['h2', 'h3'] }));
  await assign();
  expect(await storyOf('h3')).toBe(await storyOf('h1'));
  requireDone(await undo(separation.actionId));
  await advanceTime();
});

it('a removed pin has no further effect', async () => {
  const { pins = [] } = (await readStoryRecord(db, await storyOf('o1'))) ?? {};
  const standAlonePin = pins.find(({ kind }) => kind === 'stand-alone');
  const request = { ...editor, pinId: standAlonePin?.id ?? '' };
  requireDone(await unpinItems(world, db, request));
  expect(await readStoryRecord(db, await storyOf('o1'))).toMatchObject({ isClosed: false });
  await advanceTime();
  expect(await unpinItems(world, db, request)).toEqual({
    kind: 'unknown',
    what: 'pin',
    id: request.pinId,
  });
});

it('refuses to separate duplicates and to empty a story by a split', async () => {
  await push({ id: 'o5', title: 'A copy', copyOf: 'o1', source: 'b' });
  await assign();
  expect(await pin({ kind: 'cannot-link', items: ['o1', 'o5'] })).toEqual({
    kind: 'refused',
    because: 'same_news',
    why: 'These items are duplicates, which always belong to one story.',
  });
  await push({ id: 'k1', title: 'A bakery in Kuopio wins a prize' });
  await push({ id: 'k2', title: 'The same bakery', copyOf: 'k1', source: 'b' });
  await assign();
  expect(await splitStory('k1', ['k2'])).toEqual({
    kind: 'refused',
    because: 'nothing_left',
    why: 'No item would remain: duplicates always move together.',
  });
});

it('splits a story of two events when recent reports are clustered again', async () => {
  const strikeReport = (n: number) => ({
    title:
      ['Ferry strike leaves Cape Sorrel without fuel', 'Cape Sorrel out of fuel in strike'][
        n % 2
      ] ?? '',
    text: `A strike of ferry crews has left the islands of Cape Sorrel without fuel. Part ${n}.`,
    at: world.clock.now() - n * HOUR_MS,
  });
  await push(
    { id: 'q1', ...launchOf('Kestrel 4', 0) },
    { id: 'q2', ...launchOf('Kestrel 4', 1), source: 'b' },
    { id: 's1', ...strikeReport(2) },
    { id: 's2', ...strikeReport(1) },
  );
  await assign();
  const strikes = await storyOf('s1');
  expect([await storyOf('s2'), (await storyOf('q1')) === strikes]).toEqual([strikes, false]);
  requireDone(await mergeTwo('q1', 's1'));
  const record = await readStoryRecord(db, await storyOf('q1'));
  for (const { id } of record?.pins ?? []) {
    requireDone(await unpinItems(world, db, { ...editor, pinId: id }));
  }
  expect(await storyOf('s1')).toBe(await storyOf('q1'));
  await advanceTime();
  expect(await storyOf('s1')).not.toBe(await storyOf('q1'));
  expect([await storyOf('s2'), await storyOf('q2')]).toEqual([
    await storyOf('s1'),
    await storyOf('q1'),
  ]);
});

it('the undo of a pin removes later pins that contradict the undo, and no others', async () => {
  const titles = ['A mill in Ahr grinds again', 'Choir of Brae tours Norway', 'Lund plants elms'];
  await push(...titles.map((title, n) => ({ id: `u${n}`, title })));
  await assign();
  const homeStory = await storyOf('u1');
  const pinsOf = async (id: string) => (await readStoryRecord(db, await storyOf(id)))?.pins ?? [];
  const firstPin = requireDone(await pin({ kind: 'must-link', items: ['u0', 'u1'] }));
  const laterPin = requireDone(await pin({ kind: 'must-link', items: ['u0', 'u2'] }));
  const pinWithoutMove = requireDone(await pin({ kind: 'must-link', items: ['u2', 'u1'] }));
  requireDone(await undo(firstPin.actionId));
  expect([await storyOf('u1'), await pinsOf('u1')]).toEqual([homeStory, []]);
  expect(
    (await pinsOf('u0')).map(({ item_id, other_item_id }) => [item_id, other_item_id]),
  ).toEqual([['u0', 'u2']]);
  // The third pin moved nothing, because its items were in one story at that time.
  requireDone(await undo(pinWithoutMove.actionId));
  requireDone(await undo(laterPin.actionId));
  await advanceTime();
  expect(new Set([await storyOf('u0'), await storyOf('u1'), await storyOf('u2')]).size).toBe(3);
});

it('the later of two contradicting pins applies, and its undo restores the earlier', async () => {
  const linksOf = async (id: string) =>
    ((await readStoryRecord(db, await storyOf(id)))?.pins ?? []).map((pin) => pin.other_item_id);
  const first = requireDone(await pin({ kind: 'must-link', items: ['u0', 'u1'] }));
  const second = requireDone(await pin({ kind: 'must-link', items: ['u2', 'u1'] }));
  expect(await storyOf('u1')).toBe(await storyOf('u2'));
  expect([await linksOf('u0'), await linksOf('u2')]).toEqual([[], ['u1']]);
  requireDone(await undo(second.actionId));
  expect(await storyOf('u1')).toBe(await storyOf('u0'));
  expect([await linksOf('u0'), await linksOf('u2')]).toEqual([['u1'], []]);
  requireDone(await undo(first.actionId));
  await advanceTime();
  expect(new Set([await storyOf('u0'), await storyOf('u1'), await storyOf('u2')]).size).toBe(3);
});
