// What a projector is given and answers.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';

export type DocumentProjection = {
  /** JSON of the kind's `BodyOf`. */
  readonly body: object;
  /** Ids of the items that it rests on: when one of them changes, it is projected anew. */
  readonly cites: readonly string[];
  /** Epoch milliseconds. */
  readonly sortAt: number;
};

/** Part of the caller's transaction. A key that is absent is not public (any more). */
export type Projector = (
  world: World,
  tx: Db,
  keys: readonly string[],
) => Promise<ReadonlyMap<string, DocumentProjection>>;
