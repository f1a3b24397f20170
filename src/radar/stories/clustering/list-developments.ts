// Developments of a story: a development is one action of one actor with its figures. The reports
// of a story are grouped by the engine's own similarities with a stricter cut.
import type { EngineState } from './engine-state.ts';

/** A larger story has only its most recent reports grouped. */
const maxReports = 100;

/** Item ids by development; items and developments are in order of publication. */
export function listDevelopments(
  { stories, scorer, index, rules }: EngineState,
  storyId: string,
): readonly (readonly string[])[] {
  const members = stories.live.get(storyId)?.members ?? [];
  const timeOf = (slot: number) => index.facts.timeMs(slot) ?? 0;
  const ordered = [...members].sort((a, b) => timeOf(a) - timeOf(b) || a - b);
  const developments: number[][] = [];
  for (const slot of ordered.slice(-maxReports)) {
    let [best, bestOdds] = [developments.length, rules.settings.developmentFrom];
    for (const [position, development] of developments.entries()) {
      const odds = scorer.link([slot], development);
      if (odds >= bestOdds) [best, bestOdds] = [position, odds];
    }
    const development = developments[best];
    if (development === undefined) developments.push([slot]);
    else development.push(slot);
  }
  return developments.map((slots) => slots.map(stories.itemId));
}
