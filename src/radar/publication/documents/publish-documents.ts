// Only this file publishes and withdraws documents. It computes the content of the named documents
// from current data, and writes and logs only the documents that changed.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  type DocumentName,
  deletePublicDocuments,
  listPublicDocuments,
  type StoredDocument,
  savePublicDocuments,
} from '../../../store/radar/publication/public-documents.ts';
import {
  advancePublication,
  lockPublication,
} from '../../../store/radar/publication/publication-head.ts';
import { listLinkedStories } from '../../../store/radar/stories/story-reports.ts';
import type { StoryBody } from './bodies.ts';
import type { PreparedDigests } from './digest-stories.ts';
import { projectors } from './projectors.ts';

export type DocumentRef = DocumentName;

/**
 * Projects these documents again, and writes and logs the changed ones. Locks the publication's
 * head until the caller's transaction ends. Returns the publication's new sequence number.
 */
export async function publishDocuments(
  world: World,
  tx: Db,
  refs: readonly DocumentRef[],
  prepared: PreparedDigests = new Map(),
): Promise<number> {
  const head = await lockPublication(world, tx);
  const requestedChanges = await findDifferences(world, tx, refs, prepared);
  const requestedNames = new Set(refs.map(documentNameOf));
  const otherRefs = (await readNeighbours(tx, requestedChanges)).filter(
    (ref) => !requestedNames.has(documentNameOf(ref)),
  );
  const changes = [...requestedChanges, ...(await findDifferences(world, tx, otherRefs, prepared))];
  await savePublicDocuments(
    tx,
    changes.flatMap(({ after }) => after ?? []),
  );
  await deletePublicDocuments(
    tx,
    changes.flatMap(({ ref, after }) => (after === null ? [ref] : [])),
  );
  const numbered = changes.map(({ ref }, index) => ({ ...ref, seq: head.seq + index + 1 }));
  await advancePublication(tx, numbered, world.clock.now());
  return numbered.at(-1)?.seq ?? head.seq;
}

type Difference = {
  readonly ref: DocumentRef;
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
};

async function findDifferences(
  world: World,
  tx: Db,
  refs: readonly DocumentRef[],
  prepared: PreparedDigests,
): Promise<readonly Difference[]> {
  const currentDocuments = new Map(
    (await listPublicDocuments(tx, refs)).map((document) => [documentNameOf(document), document]),
  );
  const differences: Difference[] = [];
  // Rankings read the digests that the projection of stories writes.
  const storiesFirst = refs.toSorted(
    (a, b) => Number(b.kind === 'story') - Number(a.kind === 'story'),
  );
  for (const [kind, refsOfKind] of Map.groupBy(storiesFirst, (ref) => ref.kind)) {
    const keys = [...new Set(refsOfKind.map((ref) => ref.key))].sort();
    const projected = await projectors[kind](world, tx, keys, prepared);
    for (const key of keys) {
      const ref = { kind, key };
      const before = currentDocuments.get(documentNameOf(ref)) ?? null;
      const next = projected.get(key);
      const after = next === undefined ? null : { ...ref, ...next };
      if (!isSame(before, after)) differences.push({ ref, before, after });
    }
  }
  return differences;
}

/**
 * PostgreSQL's jsonb does not keep the order of keys, so both values are compared after parsing.
 */
function isSame(before: StoredDocument | null, after: StoredDocument | null): boolean {
  if (before === null || after === null) return before === after;
  return (
    before.sortAt === after.sortAt &&
    isDeepStrictEqual(before.cites, after.cites) &&
    isDeepStrictEqual(before.body, JSON.parse(JSON.stringify(after.body)))
  );
}

const documentNameOf = ({ kind, key }: DocumentRef) => `${kind} ${key}`;

/** Stories link to each other: a new title or a changed link also changes the linked story. */
async function readNeighbours(tx: Db, changes: readonly Difference[]): Promise<DocumentRef[]> {
  const stories = changes.filter(({ ref }) => ref.kind === 'story');
  const changedLinkIds = stories.flatMap(({ before, after }) => {
    const [previous, current] = [linksIn(before), linksIn(after)];
    return [...previous.symmetricDifference(current)].map((link) => link.split(' ')[0] ?? '');
  });
  const renamedStories = stories.filter(({ before, after }) => titleOf(before) !== titleOf(after));
  const linkedIds = await listLinkedStories(
    tx,
    renamedStories.map(({ ref }) => ref.key),
  );
  return [...new Set([...changedLinkIds, ...linkedIds])].map((key) => ({ kind: 'story', key }));
}

// A stored body is JSON from a projector.
const storyIn = (document: StoredDocument | null) =>
  (document?.body ?? null) as Partial<StoryBody> | null;

const titleOf = (document: StoredDocument | null) => storyIn(document)?.title ?? null;

function linksIn(document: StoredDocument | null): ReadonlySet<string> {
  const { storyline = [], related = [] } = storyIn(document) ?? {};
  return new Set([...storyline, ...related].map(({ id, relation }) => `${id} ${relation}`));
}
