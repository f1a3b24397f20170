// The story engine: takes items one by one, puts each into a story or founds one, and repairs what
// later reports show to be wrong. State is rebuilt by giving the items again with the decisions
// that were kept; every decision comes out as a line of an append-only log. Deterministic.
import { findCandidates } from './decide/find-candidates.ts';
import { pairFeatureNames, pairFeatures } from './decide/pair-features.ts';
import { bounded, storyFeatureNames, storyFeatures } from './decide/story-features.ts';
import { logOdds, probability, weightList } from './decide/weigh.ts';
import type { Assignment, Reason, StoryItem } from './item.ts';
import { openMemory } from './memory/memory.ts';
import { mergePass } from './merge-pass.ts';
import type { StoryRules } from './open-rules.ts';
import { viewItem } from './view/view-item.ts';

export type Story = {
  readonly id: string;
  /** Slots, in the order they joined. */
  members: number[];
  newestMs: number;
  /** A roundup or an item without words: nothing joins it. */
  readonly isClosed: boolean;
};

export type Considered = {
  readonly story: Story;
  /** Log-odds that the item belongs to it. */
  readonly odds: number;
  readonly features: Float64Array;
  readonly bestMember: number;
};

const dayMs = 86_400_000;

export function openEngine(rules: StoryRules) {
  const { settings } = rules;
  const memory = openMemory(rules.share, settings);
  const pairWeights = weightList(pairFeatureNames, rules.weights.pair);
  const storyWeights = weightList(storyFeatureNames, rules.weights.story);
  const scratch = new Float64Array(pairFeatureNames.length);
  const ids: string[] = [];
  const storyOf: Story[] = [];
  const stories = new Map<string, Story>();
  const touched = new Set<Story>();
  const log: Assignment[] = [];
  let sinceRepair = 0;

  const pairOdds = (a: number, b: number): number => {
    pairFeatures(memory, a, b, settings.decayDays, scratch);
    return logOdds(pairWeights, scratch);
  };
  const isLive = (story: Story, atMs: number | null) =>
    !story.isClosed &&
    (atMs === null ||
      Number.isNaN(story.newestMs) ||
      Math.abs(atMs - story.newestMs) <= settings.liveDays * dayMs);

  /** The item against one story: pairs already known, and others until the sample is full. */
  const scoreStory = (slot: number, story: Story, known: Map<number, number>): Considered => {
    const odds: number[] = [];
    let [best, bestMember] = [Number.NEGATIVE_INFINITY, story.members[0] ?? 0];
    const others: number[] = [];
    for (const member of story.members) {
      if (member === slot) continue;
      const value = known.get(member);
      if (value === undefined) others.push(member);
      else odds.push(value);
      if (value !== undefined && value > best) [best, bestMember] = [value, member];
    }
    for (const member of spread(others, settings.sampleMembers - odds.length)) {
      const value = pairOdds(slot, member);
      odds.push(value);
      if (value > best) [best, bestMember] = [value, member];
    }
    const size = story.members.length - (storyOf[slot] === story ? 1 : 0);
    const features = storyFeatures(odds, Math.max(1, size));
    return { story, odds: logOdds(storyWeights, features), features, bestMember };
  };

  /** Stories the item could belong to, the likeliest first. */
  const consider = (slot: number): readonly Considered[] => {
    const atMs = memory.timeMs(slot);
    const candidates = findCandidates(memory, slot, settings.candidates, (other) => {
      const story = storyOf[other];
      return story !== undefined && isLive(story, atMs);
    });
    const byStory = new Map<Story, Map<number, number>>();
    for (const other of candidates) {
      const story = storyOf[other];
      if (story === undefined) continue;
      const known = byStory.get(story) ?? new Map<number, number>();
      byStory.set(story, known);
      known.set(other, pairOdds(slot, other));
    }
    const scored = [...byStory].map(([story, known]) => scoreStory(slot, story, known));
    return scored.sort((a, b) => b.odds - a.odds || (a.story.id < b.story.id ? -1 : 1));
  };

  const put = (slot: number, story: Story) => {
    story.members.push(slot);
    storyOf[slot] = story;
    touched.add(story);
    const time = memory.timeMs(slot);
    if (time !== null && !(time <= story.newestMs)) story.newestMs = time;
  };
  const publish = (slot: number) => {
    const members = storyOf[slot]?.members.filter((member) => member !== slot) ?? [];
    memory.publish(slot, spread(members, 6));
  };
  const found = (slot: number, isClosed: boolean): Story => {
    const id = ids[slot] ?? '';
    const story: Story = { id, members: [], newestMs: Number.NaN, isClosed };
    stories.set(id, story);
    put(slot, story);
    return story;
  };
  const note = (slot: number, reason: Reason, score: number, features: Float64Array | null) => {
    const entry: Assignment = {
      itemId: ids[slot] ?? '',
      storyId: storyOf[slot]?.id ?? '',
      score,
      features: features === null ? {} : named(features),
      rulesVersion: rules.version,
      reason,
    };
    log.push(entry);
    return entry;
  };

  /** Mean log-odds over pairs spread across both stories. */
  const link = (a: Story, b: Story): number => {
    let sum = 0;
    let pairs = 0;
    for (const left of spread(a.members, settings.linkMembers)) {
      for (const right of spread(b.members, settings.linkMembers)) {
        sum += bounded(pairOdds(left, right));
        pairs += 1;
      }
    }
    return pairs === 0 ? -8 : sum / pairs;
  };
  const merge = (a: Story, b: Story, score: number) => {
    const [kept, gone] = (a.members[0] ?? 0) <= (b.members[0] ?? 0) ? [a, b] : [b, a];
    memory.recount(spread(kept.members, 12), spread(gone.members, 12));
    for (const slot of gone.members) {
      put(slot, kept);
      note(slot, 'merged', score, null);
    }
    gone.members = [];
    stories.delete(gone.id);
    return kept;
  };
  const take = (item: StoryItem): { slot: number; isClosed: boolean; reason: Reason } => {
    const view = viewItem(rules, item);
    const slot = memory.add(view, item.timeMs);
    ids[slot] = item.id;
    const isEmpty = view.title.length === 0 && view.lead.length === 0 && view.pairs.length === 0;
    return {
      slot,
      isClosed: isEmpty || view.isRoundup,
      reason: isEmpty ? 'no-text' : view.isRoundup ? 'roundup' : 'founded',
    };
  };

  const add = (item: StoryItem): Assignment => {
    const { slot, isClosed, reason } = take(item);
    let entry: Assignment;
    if (isClosed) {
      found(slot, true);
      return note(slot, reason, 1, null);
    }
    const near = consider(slot);
    const best = near[0];
    if (best !== undefined && best.odds >= settings.joinFrom) {
      put(slot, best.story);
      entry = note(slot, 'joined', probability(best.odds), best.features);
      publish(slot);
    } else {
      found(slot, false);
      entry = note(slot, 'founded', 1 - probability(best?.odds ?? -8), best?.features ?? null);
      publish(slot);
    }
    sinceRepair += 1;
    if (sinceRepair >= settings.repairEvery) repair();
    return entry;
  };

  /** Looks again at what was touched since the last repair; `all` live stories at the end. */
  const repair = (all = false): void => {
    sinceRepair = 0;
    const stories_ = all ? [...stories.values()] : [...touched];
    touched.clear();
    const open = stories_.filter((story) => !story.isClosed && story.members.length > 0);
    mergePass(open, settings.mergeFrom, {
      neighbours,
      link,
      merge: (a, b, odds) => merge(a, b, probability(odds)),
      isAlive: (story) => story.members.length > 0,
    });
  };
  const neighbours = (story: Story): readonly Story[] => {
    const near = new Set<Story>();
    for (const slot of spread(story.members, 3)) {
      for (const { story: other } of consider(slot).slice(0, 8)) near.add(other);
    }
    near.delete(story);
    return [...near];
  };

  return {
    memory,
    add,
    repair,
    consider,
    /** Training: takes an item in and answers what there is to decide, placing nothing. */
    take,
    found,
    put,
    publish,
    pairOdds,
    storyOf: (slot: number) => storyOf[slot],
    assigned: () => ids.map((id, slot) => ({ id, story: storyOf[slot]?.id ?? id })),
    log: () => log,
  };
}

function named(features: Float64Array): Readonly<Record<string, number>> {
  return Object.fromEntries(storyFeatureNames.map((name, at) => [name, features[at] ?? 0]));
}

/** At most `most` of a list, evenly spread, the first and the last among them. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  if (most <= 0) return [];
  if (most === 1) return list.slice(0, 1);
  return Array.from({ length: most }, (_, at) => {
    return list[Math.round((at * (list.length - 1)) / (most - 1))] as T;
  });
}
