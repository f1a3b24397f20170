// Assigns an item to its duplicate group: the same address, the same title within three days, or a
// nearly identical body. The publication lock prevents two groups for one piece of news.
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  findGroups,
  type GroupKey,
  type GroupMatch,
  groupOfItem,
  insertGroup,
  joinGroup,
  saveGroupKeys,
} from '../../../store/radar/sources/duplicate-groups.ts';
import {
  bandsOf,
  isNearIdentical,
  type Signature,
  signatureFromBytes,
  signatureOf,
  signatureToBytes,
} from './near-identical.ts';
import { canGroupByTitle, normalisedTitle } from './title-key.ts';

const SAME_TITLE_WITHIN_MS = 72 * HOUR_MS;
const SAME_BODY_WITHIN_MS = 7 * DAY_MS;

export type DuplicateCandidate = {
  readonly id: string;
  readonly sourceId: string;
  /** The key of an entry without an address is not an address. */
  readonly canonicalUrl: string;
  readonly title: string;
  readonly text: string;
  /** Publication time, otherwise discovery time. */
  readonly at: number;
  /**
   * The item's own time in the timeline. It becomes the group's first appearance when the item
   * creates the group.
   */
  readonly timelineAt: number;
};

/** Runs in the caller's transaction, which holds the publication lock. Returns the group's id. */
export async function assignDuplicateGroup(
  world: World,
  tx: Db,
  item: DuplicateCandidate,
): Promise<string> {
  const keys = keysOf(item);
  const groupId =
    (await groupOfItem(tx, item.id)) ??
    matchOf(item, await findGroups(tx, item.id, keys, item.at - SAME_BODY_WITHIN_MS)) ??
    (await createGroup(world, tx, item));
  await joinGroup(tx, item.id, groupId);
  await saveGroupKeys(tx, item.id, keys);
  return groupId;
}

function keysOf(item: DuplicateCandidate): readonly GroupKey[] {
  const common = { item_id: item.id, at: item.at };
  const title = canGroupByTitle(item.title) ? normalisedTitle(item.title) : null;
  const signature = signatureOf(item.text);
  const hasAddress = URL.canParse(item.canonicalUrl) && /^https?:/.test(item.canonicalUrl);
  return [
    ...(hasAddress
      ? [{ ...common, kind: 'url' as const, key: item.canonicalUrl, signature: null }]
      : []),
    ...(title === null ? [] : [{ ...common, kind: 'title' as const, key: title, signature: null }]),
    ...(signature === null
      ? []
      : bandsOf(signature).map((key) => ({
          ...common,
          kind: 'body' as const,
          key,
          signature: Buffer.from(signatureToBytes(signature)),
        }))),
  ];
}

function matchOf(item: DuplicateCandidate, matches: readonly GroupMatch[]): string | null {
  const signature = signatureOf(item.text);
  const match = matches.find((candidate) => isSameNews(item, signature, candidate));
  return match?.groupId ?? null;
}

function isSameNews(
  item: DuplicateCandidate,
  signature: Signature | null,
  candidate: GroupMatch,
): boolean {
  const apartMs = Math.abs(candidate.at - item.at);
  switch (candidate.kind) {
    case 'url':
      // On a page of notes, several entries of one source share an address. They are different
      // pieces of news.
      return candidate.sourceId !== item.sourceId;
    case 'title':
      return apartMs <= SAME_TITLE_WITHIN_MS;
    case 'body':
      return apartMs <= SAME_BODY_WITHIN_MS && isSameBody(signature, candidate.signature);
  }
}

function isSameBody(signature: Signature | null, other: Uint8Array | null): boolean {
  const otherSignature = other === null ? null : signatureFromBytes(other);
  return (
    signature !== null && otherSignature !== null && isNearIdentical(signature, otherSignature)
  );
}

async function createGroup(world: World, tx: Db, item: DuplicateCandidate): Promise<string> {
  const id = world.ids.next();
  await insertGroup(tx, { id, first_appeared_at: item.timelineAt, representative_id: null });
  return id;
}
