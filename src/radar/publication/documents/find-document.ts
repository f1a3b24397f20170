// A document wherever it is: in this node's edition, or else, when it is too old for that, in the
// database.
import { Fault } from '../../../kernel/fault.ts';
import type { World } from '../../../kernel/world.ts';
import { documentTexts } from '../../../store/public-documents.ts';
import type { DocumentKind } from '../../../store/schema/stories.ts';
import { documentFrom, documentOf, type PublicDocument } from '../edition/documents.ts';
import type { Publication } from '../open-publication.ts';

const PATIENCE_MS = 1_800;

/** Null: not public. Fails as `temporarily_unavailable` when the database would have to say it. */
export async function findDocument<K extends DocumentKind>(
  world: World,
  publication: Publication,
  kind: K,
  key: string,
): Promise<PublicDocument<K> | null> {
  const held = documentOf(publication.edition(), kind, key);
  if (held !== null) return held;
  // What no key can be, PostgreSQL could not even be asked for.
  if (key.includes('\0') || !key.isWellFormed()) return null;
  const [row] = await soon(world, documentTexts(publication.db, [{ kind, key }]));
  return row === undefined ? null : (documentFrom(row) as PublicDocument<K>);
}

/** With the database away, "try again" within two seconds rather than an open wait (goals.md). */
export async function soon<T>(world: World, work: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const tooLate = world.clock.sleep(PATIENCE_MS, stop.signal).then(() => {
    throw new Fault('temporarily_unavailable', 'The database does not answer. Try again soon.', {
      retryAfterSeconds: 5,
    });
  });
  tooLate.catch(() => {});
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    stop.abort();
    work.catch(() => {});
  }
}
