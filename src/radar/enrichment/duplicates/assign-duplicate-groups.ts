// Assigns items to duplicate groups. Items of one group have the same address, the same title
// within three days, or nearly identical bodies. The publication lock prevents two groups for one
// piece of news.
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  type DuplicateGroupRow,
  type DuplicateKeys,
  findGroupedItems,
  type GroupedItem,
  insertGroups,
  joinGroups,
  readGroupsByItem,
  saveDuplicateKeys,
} from '../../../store/radar/sources/duplicate-groups.ts';
import {
  bandsOf,
  isNearIdentical,
  signatureFromBytes,
  signatureOf,
  signatureToBytes,
} from './near-identical.ts';
import { canGroupByTitle, normaliseTitle } from './title-key.ts';

const SAME_TITLE_WITHIN_MS = 72 * HOUR_MS;
const SAME_BODY_WITHIN_MS = 7 * DAY_MS;

export type DuplicateText = {
  readonly id: string;
  readonly sourceId: string;
  /** The address of the entry, or another key when the entry has no address. */
  readonly canonicalUrl: string;
  readonly title: string;
  readonly text: string;
  /** Publication time, otherwise discovery time. */
  readonly at: number;
};

export type DuplicateCandidate = {
  readonly keys: DuplicateKeys;
  /**
   * The item's own time in the timeline. It becomes the group's first appearance when the item
   * creates the group.
   */
  readonly timelineAt: number;
};

/** Takes about a millisecond for a long text, so it runs before the publication lock is taken. */
export function duplicateKeysOf({
  id,
  sourceId,
  canonicalUrl,
  title,
  text,
  at,
}: DuplicateText): DuplicateKeys {
  const signature = signatureOf(text);
  return {
    itemId: id,
    sourceId,
    at,
    canonicalUrl,
    titleKey: canGroupByTitle(title) ? normaliseTitle(title) : null,
    bands: signature === null ? [] : bandsOf(signature),
    signature: signature === null ? null : signatureToBytes(signature),
  };
}

/**
 * Runs in the caller's transaction, which holds the publication lock. Each item can join the group
 * of an earlier item. Returns the ids of the groups.
 */
export async function assignDuplicateGroups(
  world: World,
  tx: Db,
  candidates: readonly DuplicateCandidate[],
): Promise<ReadonlySet<string>> {
  const candidateKeys = candidates.map(({ keys }) => keys);
  const ownGroups = await readGroupsByItem(
    tx,
    candidateKeys.map(({ itemId }) => itemId),
  );
  const groupedItems = new Map(
    (await findGroupedItems(tx, searchOf(candidateKeys))).map((item) => [item.itemId, item]),
  );
  const groups = new Map<string, string>();
  const newGroups: DuplicateGroupRow[] = [];
  for (const { keys, timelineAt } of candidates) {
    const id = keys.itemId;
    const match = [...groupedItems.values()]
      .filter((other) => isSameNews(keys, other))
      .sort(compareAge)[0];
    let groupId = ownGroups.get(id) ?? match?.groupId;
    if (groupId === undefined) {
      groupId = world.ids.next();
      newGroups.push({ id: groupId, first_appeared_at: timelineAt, representative_id: null });
    }
    groups.set(id, groupId);
    const firstAppearedAt =
      [...groupedItems.values()].find((other) => other.groupId === groupId)?.firstAppearedAt ??
      timelineAt;
    groupedItems.set(id, { ...keys, groupId, firstAppearedAt });
  }
  await insertGroups(tx, newGroups);
  await joinGroups(tx, groups);
  await saveDuplicateKeys(tx, candidateKeys);
  return new Set(groups.values());
}

const compareAge = (a: GroupedItem, b: GroupedItem) =>
  a.firstAppearedAt - b.firstAppearedAt ||
  compare(a.groupId, b.groupId) ||
  compare(a.itemId, b.itemId);

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function searchOf(keys: readonly DuplicateKeys[]) {
  return {
    urls: keys.flatMap(({ canonicalUrl }) => (isAddress(canonicalUrl) ? [canonicalUrl] : [])),
    titleKeys: keys.flatMap(({ titleKey }) => titleKey ?? []),
    bands: keys.flatMap(({ bands }) => bands),
    since: Math.min(...keys.map(({ at }) => at)) - SAME_BODY_WITHIN_MS,
  };
}

const isAddress = (url: string) => /^https?:/.test(url) && URL.canParse(url);

function isSameNews(item: DuplicateKeys, other: DuplicateKeys): boolean {
  if (item.itemId === other.itemId) return false;
  // On a page of notes, several entries of one source share an address, but they are different
  // pieces of news.
  const isSameAddress = item.canonicalUrl === other.canonicalUrl && isAddress(item.canonicalUrl);
  if (isSameAddress && item.sourceId !== other.sourceId) return true;
  const distanceMs = Math.abs(item.at - other.at);
  const isSameTitle = item.titleKey !== null && item.titleKey === other.titleKey;
  if (isSameTitle && distanceMs <= SAME_TITLE_WITHIN_MS) return true;
  return distanceMs <= SAME_BODY_WITHIN_MS && isSameBody(item, other);
}

function isSameBody(item: DuplicateKeys, other: DuplicateKeys): boolean {
  if (item.signature === null || other.signature === null) return false;
  if (!item.bands.some((band, index) => band === other.bands[index])) return false;
  const [signature, otherSignature] = [item.signature, other.signature].map(signatureFromBytes);
  return Boolean(signature && otherSignature && isNearIdentical(signature, otherSignature));
}
