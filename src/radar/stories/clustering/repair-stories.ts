// The repair: stories that turn out to be one are merged, a story that turns out to be two is
// split. Pins win; everything is logged.
import type { MergeVerdict } from '../advice/merge-candidates.ts';
import { probability } from '../scoring/logistic.ts';
import type { EngineParts } from './engine-state.ts';
import { mergePass } from './merge-pass.ts';
import { reseatItems } from './reassign-items.ts';
import { spread } from './sample-evenly.ts';
import { splitOff } from './split-story.ts';
import type { Board, Story } from './story-index.ts';
import type { Owners } from './story-item.ts';

/** Looks at what changed since the last time, or at `all` stories; then also for splits. */
export function repairStories(parts: EngineParts, all: boolean): void {
  const { board, rules } = parts;
  const touched = board.takeTouched();
  const seen = parts.seen.take(board);
  const open = (all ? [...board.stories.values()] : touched).filter(isOpen);
  if (all && rules.settings.splits) for (const story of open) split(parts, story);
  mergeAmong(parts, open, all ? new Map() : seen);
  if (!all) return;
  if (rules.settings.reseats) reseatItems(parts, [...board.stories.values()]);
  if (rules.settings.splits) for (const story of [...board.stories.values()]) split(parts, story);
  board.takeTouched();
}

/** `seen`: stories that lay near; where none are known, they are looked for. */
function mergeAmong(
  parts: EngineParts,
  open: readonly Story[],
  seen: ReadonlyMap<Story, ReadonlySet<Story>>,
): void {
  const { board, judge, pins, doubts } = parts;
  mergePass(open.filter(isOpen), {
    neighbours: (story) => [...(seen.get(story) ?? neighboursOf(parts, story))],
    link: (a, b) => {
      if (pins.size > 0 && pins.forbid(names(board, a), names(board, b))) {
        return Number.NEGATIVE_INFINITY;
      }
      const linkFrom = (bar: number) => judge.link(a.members, b.members, bar);
      return doubts.weigh(a, b, linkFrom);
    },
    merge: (a, b, odds) => merge(parts, a, b, odds),
    isAlive: (story) => story.members.length > 0,
  });
  board.takeTouched();
}

/** Holds the stories of these items against their neighbours; what else changed waits its turn. */
export function lookAgain(parts: EngineParts, itemIds: readonly string[]): void {
  const { board } = parts;
  const waiting = board.takeTouched();
  for (const id of itemIds) board.touch(board.slotOf(id));
  mergeAmong(parts, board.takeTouched().filter(isOpen), new Map());
  for (const story of waiting) board.touch(story.members[0]);
}

/** Decides about pairs that somebody was asked about; nothing else is looked at. */
export function hearVerdicts(parts: EngineParts, verdicts: readonly MergeVerdict[]): void {
  const { board, doubts } = parts;
  const waiting = board.takeTouched();
  doubts.hear(verdicts, () => {
    const pairs = new Map<Story, Set<Story>>();
    for (const { a, b } of verdicts) {
      const [one, other] = [a[0], b[0]].map((id = '') => {
        const slot = board.slotOf(id);
        return slot === undefined ? undefined : board.storyOf(slot);
      });
      if (one === undefined || other === undefined || one === other) continue;
      pairs.set(one, (pairs.get(one) ?? new Set()).add(other));
    }
    mergeAmong(parts, [...pairs.keys()], pairs);
  });
  for (const story of waiting) board.touch(story.members[0]);
}

/** The split test alone, over these stories. */
export function testSplits(
  parts: EngineParts,
  storyIds: readonly string[],
  owners: Owners = noOwners,
): void {
  if (!parts.rules.settings.splits) return;
  for (const id of storyIds) {
    const story = parts.board.stories.get(id);
    if (story !== undefined && isOpen(story)) split(parts, story, owners);
  }
}

/** So many stories near an item are held against its own. */
export const mostNear = 8;

const isOpen = (story: Story) => !story.isClosed && story.members.length > 0;
const names = (board: Board, story: Story) => story.members.map(board.itemId);

/** The one whose first item came first survives. */
function merge(parts: EngineParts, a: Story, b: Story, odds: number): Story {
  const { board, memory, doubts } = parts;
  const features = doubts.isSaid(a, b) ? { model: 1 } : {};
  const [kept, gone] = (a.members[0] ?? 0) <= (b.members[0] ?? 0) ? [a, b] : [b, a];
  memory.recount(spread(kept.members, 12), spread(gone.members, 12));
  for (const slot of gone.members) {
    board.put(slot, kept);
    board.note(slot, 'merged', probability(odds), features);
  }
  return kept;
}

function neighboursOf({ judge }: EngineParts, story: Story): readonly Story[] {
  const near = new Set<Story>();
  for (const slot of spread(story.members, 3)) {
    for (const { story: other } of judge.consider(slot).near.slice(0, mostNear)) near.add(other);
  }
  near.delete(story);
  return [...near];
}

/** The larger side keeps the id, and both are looked at again. Items that a person linked stay. */
function split(parts: EngineParts, story: Story, owners = noOwners): void {
  const { board, judge, pins, rules, doubts } = parts;
  const { mergeFrom, splitSlack } = rules.settings;
  // Under the bar by some slack, or what is put together tonight were taken apart tomorrow.
  const from = mergeFrom - splitSlack - doubts.below;
  const out = splitOff(story.members, { ...judge, from });
  if (out === null) return;
  const leaving = new Set(out.map(board.itemId));
  const cutsLink = names(board, story).some((id) =>
    pins.linkedWith(id).some((other) => leaving.has(id) !== leaving.has(other)),
  );
  const kept = names(board, story).filter((id) => !leaving.has(id));
  const areTold = [[...leaving], kept].every((side) => sourcesOf(side, owners) >= 2);
  const [first, ...rest] = out;
  if (cutsLink || !areTold || first === undefined) return;
  const fresh = board.found(first, false);
  for (const slot of rest) board.put(slot, fresh);
  for (const slot of out) board.note(slot, 'split', 1, {});
  split(parts, story, owners);
  split(parts, fresh, owners);
}

const noOwners: Owners = new Map();
/** One paper's two reports are no second story (design, "Repair"). */
const sourcesOf = (itemIds: readonly string[], owners: Owners) =>
  new Set(itemIds.flatMap((id) => owners.get(id) ?? [id])).size;
