// Looks again at stories that stand: lone ones, those of the last days against the others, large
// ones for a split; in small transactions, so that nobody waits for long.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  lockStories,
  type StoryHead,
  saveStoryHead,
  storyHead,
} from '../../../store/radar/stories/story-head.ts';
import { newsOfItems, ownersOfItems } from '../../../store/radar/stories/story-items.ts';
import {
  liveStories,
  loneItemsDecided,
  membersOfStories,
} from '../../../store/radar/stories/story-members.ts';
import type { Owners } from '../clustering/story-item.ts';
import { type Round, think, writeDecided } from './assign-batch.ts';
import { duePasses, hourOf, isAnyDue } from './due-passes.ts';
import type { Step } from './engine-commands.ts';
import { catchUp } from './replay-assignments.ts';

/** Stories looked at in one transaction. */
const AT_ONCE = 50;
const COMPARED_MS = 48 * 3_600_000;
/** A story of fewer items is never two. */
const LEAST_TO_SPLIT = 4;

export type PassParts = {
  /** In one transaction; stories without a report since `floor` are let go. */
  readonly run: <T>(work: (tx: Db, round: Round, floor: number) => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
};

/** What is due now; what was cut off by a failure or the end of the process is due again. */
export async function passAgain(world: World, db: Db, parts: PassParts): Promise<void> {
  const now = world.clock.now();
  const due = duePasses(now, await storyHead(db));
  for (const span of due.look ?? []) {
    await revisit(world, parts, await loneItemsDecided(db, span));
  }
  if (due.compare.size > 0) {
    const live = await liveStories(db, { since: now - COMPARED_MS, least: 2 });
    const share = live.filter(({ storyId }) => due.compare.has(hourOf(storyId)));
    await revisit(
      world,
      parts,
      share.map(({ itemId }) => itemId),
    );
  }
  if (due.split) {
    const large = await liveStories(db, { since: now - COMPARED_MS, least: LEAST_TO_SPLIT });
    await inParts(world, parts, large, async (some, { seat }, tx) => {
      const storyIds = some.map(({ storyId }) => storyId);
      const owners = await ownersIn(tx, storyIds);
      return [{ kind: 'split', storyIds: storyIds.map(seat.names.engineOf), owners }];
    });
  }
  if (parts.signal.aborted || !isAnyDue(due)) return;
  const looked = due.look === null ? {} : { looked_at: now };
  const compared = due.compare.size > 0 ? { compared_at: now } : {};
  const split = due.split ? { split_at: now } : {};
  await parts.run(async (tx) => {
    await saveStoryHead(tx, { ...(await lockStories(tx)), ...looked, ...compared, ...split });
  });
}

const revisit = (world: World, parts: PassParts, itemIds: readonly string[]) =>
  inParts(world, parts, itemIds, async (some) => [{ kind: 'revisit', itemIds: some }]);

/** Of the first of each news in these stories: who reports it, in any of its copies. */
async function ownersIn(tx: Db, storyIds: readonly string[]): Promise<Owners> {
  const ids = (await membersOfStories(tx, storyIds)).map(({ item_id }) => item_id);
  const [news, ownerOf] = [await newsOfItems(tx, ids), await ownersOfItems(tx, ids)];
  const owners = new Map<string, string[]>();
  for (const id of ids) {
    const first = news.get(id)?.[0] ?? id;
    const known = owners.get(first);
    if (known === undefined) owners.set(first, [ownerOf.get(id) ?? id]);
    else known.push(ownerOf.get(id) ?? id);
  }
  return owners;
}

async function inParts<T>(
  world: World,
  { run, signal }: PassParts,
  all: readonly T[],
  stepsOf: (some: readonly T[], round: Round, tx: Db) => Promise<readonly Step[]>,
): Promise<void> {
  for (let from = 0; from < all.length && !signal.aborted; from += AT_ONCE) {
    const some = all.slice(from, from + AT_ONCE);
    await run(async (tx, round, floor) =>
      thinkAgain(world, tx, { round, floor }, await stepsOf(some, round, tx)),
    );
  }
}

/** One round of steps about what stands, with what the engine decided written and published. */
export async function thinkAgain(
  world: World,
  tx: Db,
  { round, floor }: { readonly round: Round; readonly floor: number },
  steps: readonly Step[],
): Promise<void> {
  const head: StoryHead = await lockStories(tx);
  await catchUp(tx, round.seat, head, floor);
  const heard = await think(round, steps);
  if (heard.log.length === 0) return;
  const decided = { log: heard.log, followers: [], times: new Map<string, number>() };
  await writeDecided(world, tx, { round, head, settled: [] }, decided, heard.near);
}
