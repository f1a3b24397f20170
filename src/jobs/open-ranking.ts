// The hot room with what it needs of the publication: who a first party is, and the way to what is
// public.

import { RANKING_KEY } from '../radar/publication/documents/bodies.ts';
import { firstParties } from '../radar/publication/documents/first-party.ts';
import { publishDocuments } from '../radar/publication/documents/publish-documents.ts';
import type { HotParts } from '../radar/ranking/compute-ranking.ts';
import type { HotRules } from '../radar/ranking/ranking-rules.ts';

export function openHot(rules: HotRules): HotParts {
  const ranking = [{ kind: 'ranking', key: RANKING_KEY }] as const;
  const publish: HotParts['publish'] = (world, tx) => publishDocuments(world, tx, ranking);
  return { rules, firstParties, publish };
}
