// The one way in which anything besides items becomes public or stops being so: documents are
// projected anew and only the difference to what stands is written and logged.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../kernel/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  type DocumentName,
  deletePublicDocuments,
  publicDocuments,
  type StoredDocument,
  savePublicDocuments,
} from '../../../store/public-documents.ts';
import { advancePublication, lockPublication } from '../../../store/publication-head.ts';
import { linkedStories } from '../../../store/story-reports.ts';
import { projectors } from './projectors.ts';

export type DocumentRef = DocumentName;

/**
 * Projects those documents anew and writes and logs the difference; part of the caller's
 * transaction, which holds the publication's head. Answers the publication's number after it.
 */
export async function publishDocuments(
  world: World,
  tx: Db,
  refs: readonly DocumentRef[],
): Promise<number> {
  const head = await lockPublication(world, tx);
  const first = await difference(world, tx, refs);
  // Stories name their neighbours: a new title, or one that is gone, shows there too.
  const renamed = first.flatMap(({ ref, before, after }) =>
    ref.kind === 'story' && titleOf(before) !== titleOf(after) ? [ref.key] : [],
  );
  const neighbours = (await linkedStories(tx, renamed)).map(
    (key): DocumentRef => ({ kind: 'story', key }),
  );
  const done = new Set(refs.map(nameOf));
  const others = neighbours.filter((ref) => !done.has(nameOf(ref)));
  const changes = [...first, ...(await difference(world, tx, others))];
  await savePublicDocuments(
    tx,
    changes.flatMap(({ after }) => after ?? []),
  );
  await deletePublicDocuments(
    tx,
    changes.flatMap(({ ref, after }) => (after === null ? [ref] : [])),
  );
  const numbered = changes.map(({ ref }, at) => ({ ...ref, seq: head.seq + at + 1 }));
  await advancePublication(tx, numbered, world.clock.now());
  return numbered.at(-1)?.seq ?? head.seq;
}

type Difference = {
  readonly ref: DocumentRef;
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
};

async function difference(
  world: World,
  tx: Db,
  refs: readonly DocumentRef[],
): Promise<readonly Difference[]> {
  const standing = new Map((await publicDocuments(tx, refs)).map((one) => [nameOf(one), one]));
  const differences: Difference[] = [];
  for (const [kind, ofKind] of Map.groupBy(refs, (ref) => ref.kind)) {
    const keys = [...new Set(ofKind.map((ref) => ref.key))].sort();
    const projected = await projectors[kind](world, tx, keys);
    for (const key of keys) {
      const ref = { kind, key };
      const before = standing.get(nameOf(ref)) ?? null;
      const next = projected.get(key);
      const after = next === undefined ? null : { ...ref, ...next };
      if (!isSame(before, after)) differences.push({ ref, before, after });
    }
  }
  return differences;
}

/** PostgreSQL's jsonb forgets the order of keys: what is compared are values, read back alike. */
function isSame(before: StoredDocument | null, after: StoredDocument | null): boolean {
  if (before === null || after === null) return before === after;
  return (
    before.sortAt === after.sortAt &&
    isDeepStrictEqual(before.cites, after.cites) &&
    isDeepStrictEqual(before.body, JSON.parse(JSON.stringify(after.body)))
  );
}

const nameOf = ({ kind, key }: DocumentRef) => `${kind} ${key}`;

function titleOf(document: StoredDocument | null): unknown {
  const body: unknown = document?.body ?? null;
  return typeof body === 'object' && body !== null && 'title' in body ? body.title : null;
}
