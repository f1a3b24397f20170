// Groups the reports of a story into developments: a development is one action of one actor with
// its figures. The engine's own similarities decide, with a higher threshold than for a story.
import type { EngineState } from './engine-state.ts';

/** Of a larger story, only the most recent reports are grouped. */
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
