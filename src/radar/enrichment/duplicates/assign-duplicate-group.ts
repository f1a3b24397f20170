// Finds an item its reading group: the same address, the same title within three days, or nearly
// the same body. Whoever publishes holds the publication's lock, so no two found one news twice.
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  findGroups,
  foundGroup,
  type GroupKey,
  type GroupMatch,
  groupOfItem,
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

export type Groupable = {
  readonly id: string;
  readonly sourceId: string;
  /** Of an entry without an address: not an address. */
  readonly canonicalUrl: string;
  readonly title: string;
  readonly text: string;
  /** Publication, else discovery: news is compared by when it was written. */
  readonly at: number;
  /** Its own place in the timeline: the group's first appearance if it founds one. */
  readonly timelineAt: number;
};

/** Part of the caller's transaction, which holds the publication's lock. Answers the group's id. */
export async function groupItem(world: World, tx: Db, item: Groupable): Promise<string> {
  const keys = keysOf(item);
  const groupId =
    (await groupOfItem(tx, item.id)) ??
    matchOf(item, await findGroups(tx, item.id, keys, item.at - SAME_BODY_WITHIN_MS)) ??
    (await found(world, tx, item));
  await joinGroup(tx, item.id, groupId);
  await saveGroupKeys(tx, item.id, keys);
  return groupId;
}

function keysOf(item: Groupable): readonly GroupKey[] {
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

function matchOf(item: Groupable, matches: readonly GroupMatch[]): string | null {
  const own = signatureOf(item.text);
  const match = matches.find((candidate) => isSameNews(item, own, candidate));
  return match?.groupId ?? null;
}

function isSameNews(item: Groupable, own: Signature | null, candidate: GroupMatch): boolean {
  const apartMs = Math.abs(candidate.at - item.at);
  switch (candidate.kind) {
    case 'url':
      // Entries of one source that share an address are told apart by it: a page of notes.
      return candidate.sourceId !== item.sourceId;
    case 'title':
      return apartMs <= SAME_TITLE_WITHIN_MS;
    case 'body':
      return apartMs <= SAME_BODY_WITHIN_MS && isSameBody(own, candidate.signature);
  }
}

function isSameBody(own: Signature | null, other: Uint8Array | null): boolean {
  const theirs = other === null ? null : signatureFromBytes(other);
  return own !== null && theirs !== null && isNearIdentical(own, theirs);
}

async function found(world: World, tx: Db, item: Groupable): Promise<string> {
  const id = world.ids.next();
  await foundGroup(tx, { id, first_appeared_at: item.timelineAt, representative_id: null });
  return id;
}
