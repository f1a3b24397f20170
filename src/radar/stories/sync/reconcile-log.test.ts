import { expect, it } from 'vitest';
import type { Assignment, Reason } from '../clustering/story-item.ts';
import { type EngineLog, reconcileLog, type StoredState } from './reconcile-log.ts';
import { openStoryIdMap } from './story-id-map.ts';

const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const assignment = (itemId: string, storyId: string, reason: Reason): Assignment => {
  return { itemId, storyId, score: 0.5, features: {}, rulesVersion: 'r', reason };
};

function reconcile(overrides: Partial<StoredState> & Partial<EngineLog>, idMap = openStoryIdMap()) {
  let next = 100;
  const ids = {
    storyId: () => {
      next += 1;
      return uuid(next);
    },
    actionId: () => 'act',
    now: 7,
    rulesVersion: 'r',
  };
  const { members = [], merged = new Set(), copies = new Map() } = overrides;
  const { log = [], followers = [], times = new Map() } = overrides;
  const changes = reconcileLog(idMap, { members, merged, copies }, { log, followers, times }, ids);
  const moves = changes.moves.map(({ itemId, fromStoryId, storyId, reason }) => {
    return [itemId, fromStoryId, storyId, reason];
  });
  return { ...changes, moves, idMap };
}

const member = (item_id: string, n: number, ordinal: number) => {
  return { item_id, story_id: uuid(n), at: ordinal * 10, ordinal };
};

it('a new story gets a public id, the earliest time of its items, and duplicates', () => {
  const { founded, moves, idMap } = reconcile({
    log: [assignment('a', 'a', 'founded'), assignment('b', 'a', 'joined')],
    followers: [{ itemId: 'c', leaderId: 'b' }],
    times: new Map([
      ['a', 30],
      ['b', 20],
      ['c', 40],
    ]),
  });
  expect(founded).toEqual([{ id: uuid(101), foundedAt: 20, isClosed: false }]);
  expect(moves).toEqual([
    ['a', null, uuid(101), 'founded'],
    ['b', null, uuid(101), 'joined'],
    ['c', null, uuid(101), 'same-news'],
  ]);
  expect(idMap.engineOf(uuid(101))).toBe('a');
});

it('no item may join the story of a roundup', () => {
  const { founded } = reconcile({
    log: [assignment('a', 'a', 'roundup')],
    times: new Map([['a', 1]]),
  });
  expect(founded).toEqual([{ id: uuid(101), foundedAt: 1, isClosed: true }]);
});

it('a story that is founded and emptied in one batch is not stored', () => {
  const { founded, moves, merged, actions } = reconcile({
    members: [member('x', 1, 1)],
    log: [assignment('a', 'a', 'founded'), assignment('a', uuid(1), 'merged')],
    times: new Map([['a', 5]]),
  });
  expect({ founded, merged, actions }).toEqual({ founded: [], merged: [], actions: [] });
  expect(moves).toEqual([['a', null, uuid(1), 'merged']]);
});

it('an emptied story is merged by an action, and duplicates move with their first item', () => {
  const { moves, merged, actions } = reconcile({
    members: [member('a', 1, 1), member('a2', 1, 2), member('b', 2, 3)],
    copies: new Map([['a', ['a2']]]),
    log: [assignment('a', uuid(2), 'merged')],
  });
  expect(moves).toEqual([
    ['a', uuid(1), uuid(2), 'merged'],
    ['a2', uuid(1), uuid(2), 'merged'],
  ]);
  expect(merged).toEqual([{ id: uuid(1), into: uuid(2) }]);
  expect(actions).toEqual([
    {
      id: 'act',
      action: 'merge',
      at: 7,
      actor: 'engine',
      note: null,
      undoes_id: null,
      detail: { stories: [uuid(1), uuid(2)], gone: [uuid(1)] },
    },
  ]);
});

it('an engine id that is reused after a merge gets a new public id', () => {
  const idMap = openStoryIdMap();
  idMap.set('a', uuid(1));
  const { founded, merged } = reconcile(
    {
      members: [member('a', 1, 1), member('b', 2, 2), member('c', 2, 3)],
      log: [
        assignment('a', uuid(2), 'merged'),
        assignment('a', 'a', 'split'),
        assignment('b', 'a', 'split'),
      ],
    },
    idMap,
  );
  expect(merged).toEqual([{ id: uuid(1), into: uuid(101) }]);
  expect(founded).toEqual([{ id: uuid(101), foundedAt: 10, isClosed: false }]);
  expect(idMap.publicOf('a')).toBe(uuid(101));
});

it('adds no item to a story that was merged into another one', () => {
  const idMap = openStoryIdMap();
  idMap.set('a', uuid(1));
  const { moves } = reconcile(
    {
      merged: new Set([uuid(1)]),
      log: [assignment('a', 'a', 'founded')],
      times: new Map([['a', 1]]),
    },
    idMap,
  );
  expect(moves).toEqual([['a', null, uuid(101), 'founded']]);
});
