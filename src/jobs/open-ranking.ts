// The ranking with its dependencies on the publication: first parties and published documents.

import { RANKING_KEY } from '../radar/publication/documents/bodies.ts';
import { firstParties } from '../radar/publication/documents/first-party.ts';
import { publishDocuments } from '../radar/publication/documents/publish-documents.ts';
import type { RankingDeps } from '../radar/ranking/compute-ranking.ts';
import type { RankingRules } from '../radar/ranking/ranking-rules.ts';

export function openHot(rules: RankingRules): RankingDeps {
  const ranking = [{ kind: 'ranking', key: RANKING_KEY }] as const;
  const publish: RankingDeps['publish'] = (world, tx) => publishDocuments(world, tx, ranking);
  return { rules, firstParties, publish };
}
