// Input and result of a projector.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import type { PreparedDigests } from './digest-stories.ts';

export type DocumentProjection = {
  /** JSON of the kind's `BodyOf`. */
  readonly body: object;
  /** Ids of the cited items. The document is projected again when one of them changes. */
  readonly cites: readonly string[];
  /** Epoch milliseconds. */
  readonly sortAt: number;
};

/** Part of the caller's transaction. The document of a key without a projection is not public. */
export type Projector = (
  world: World,
  tx: Db,
  keys: readonly string[],
  prepared?: PreparedDigests,
) => Promise<ReadonlyMap<string, DocumentProjection>>;
