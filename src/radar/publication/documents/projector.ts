// The type of a projector, which builds the public documents of one kind.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import type { PreparedDigests } from './digest-stories.ts';

export type DocumentProjection = {
  /** The `BodyOf` of the document's kind, as JSON. */
  readonly body: object;
  /** Ids of the cited items. The document is projected again when one of them changes. */
  readonly cites: readonly string[];
  /** Epoch milliseconds. */
  readonly sortAt: number;
};

/** Reads in the caller's transaction. A key that is missing from the result is not public. */
export type Projector = (
  world: World,
  tx: Db,
  keys: readonly string[],
  prepared?: PreparedDigests,
) => Promise<ReadonlyMap<string, DocumentProjection>>;
