// Clusters recent reports again by average link, so that the result does not depend on their order
// of arrival. Reports move where the result differs from the existing stories. Pins and verdicts of
// a model take precedence here too.

import { probability } from '../scoring/average-link.ts';
import { areInConflict } from '../scoring/conflicts.ts';
import { areSeparated, type EngineState } from './engine-state.ts';
import { matchSubjects } from './match-subjects.ts';
import { mergePass } from './merge-pass.ts';
import { mergeAmong } from './merge-stories.ts';
import type { Story } from './story-index.ts';

type Cluster = { readonly id: string; members: number[] };

/** `slots`: reports to assign again, ascending. Other reports of their stories stay together. */
export function recluster(state: EngineState, slots: readonly number[]): void {
  const { stories } = state;
  const open = slots.filter((slot) => stories.storyOf(slot)?.isClosed === false);
  const clusters = clustersOf(state, open);
  const overlaps = [...new Set(clusters.values())].flatMap((cluster) => overlapsOf(state, cluster));
  overlaps.sort((a, b) => b.shared - a.shared || a.first - b.first);
  const storyOf = new Map<Cluster, Story>();
  const reusedStories = new Set<Story>();
  for (const { cluster, story } of overlaps) {
    if (storyOf.has(cluster) || reusedStories.has(story)) continue;
    storyOf.set(cluster, story);
    reusedStories.add(story);
  }
  for (const cluster of new Set(clusters.values()))
    placeCluster(state, cluster, storyOf.get(cluster));
  if (state.mergeCandidates.isOpen) mergeAmong(state, [...reusedStories]);
}

/** The cluster of each slot in `open`, and of each other slot in their stories. */
function clustersOf(state: EngineState, open: readonly number[]): Map<number, Cluster> {
  const { stories, scorer, mergeCandidates } = state;
  const { joinFrom } = state.rules.settings;
  const clusters = initialClusters(state, open);
  const neighboursOf = new Map<Cluster, Set<Cluster>>();
  // The older reports of these stories are candidates too. Otherwise their stories would lose
  // reports.
  const lowestSlot = clusters.keys().reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const filter = { first: lowestSlot, isAllowed: (slot: number) => clusters.has(slot) };
  const storyOf = ({ members }: Cluster) => stories.storyOf(members[0] ?? -1);
  // The noise of each item is measured before any pair is compared.
  const neighbours = open.map((slot) => scorer.neighbours(slot, filter, true));
  for (const [index, slot] of open.entries()) {
    const cluster = clusters.get(slot);
    if (cluster === undefined) continue;
    const neighbourClusters = neighboursOf.get(cluster) ?? new Set();
    neighboursOf.set(cluster, neighbourClusters);
    for (const { slot: other, similarity } of neighbours[index] ?? []) {
      const neighbour = clusters.get(other);
      if (neighbour === undefined || neighbour === cluster) continue;
      if (scorer.oddsOf(slot, other, similarity) >= 0) neighbourClusters.add(neighbour);
    }
  }
  mergePass([...new Set(clusters.values())], {
    neighbours: (cluster) => [...(neighboursOf.get(cluster) ?? [])],
    link: (a, b) => {
      if (areSeparated(state, a.members, b.members)) return Number.NEGATIVE_INFINITY;
      const odds = scorer.link(a.members, b.members);
      if (storyOf(a) !== storyOf(b)) return mergeCandidates.weighWithoutWaiting(a, b, odds);
      return odds >= joinFrom ? odds : Number.NEGATIVE_INFINITY;
    },
    merge: (a, b) => mergeClusters(clusters, a, b),
    hasReports: ({ members }) => members.length > 0,
  });
  const matched = matchSubjects(state.index, [...new Set(clusters.values())]);
  for (const { small, owner } of matched) {
    // An earlier merge may have replaced the object of the large cluster, so the slot `owner`
    // identifies the cluster.
    const large = clusters.get(owner) ?? small;
    const isApart =
      isOtherEvent(state, small, large) || areSeparated(state, small.members, large.members);
    if (!isApart && mergeCandidates.weigh(small, large, joinFrom) >= joinFrom) {
      mergeClusters(clusters, small, large);
    }
  }
  return clusters;
}

/** Whether most pairs differ in the version, the issue or the first name. */
function isOtherEvent({ index }: EngineState, a: Cluster, b: Cluster): boolean {
  const conflicts = a.members.flatMap((slot) =>
    b.members.filter((other) => areInConflict(index, slot, other)),
  );
  return conflicts.length > (a.members.length * b.members.length) / 2;
}

/** The cluster with the earlier first report survives. */
function mergeClusters(clusters: Map<number, Cluster>, a: Cluster, b: Cluster): Cluster {
  const [survivor, absorbed] = (a.members[0] ?? 0) <= (b.members[0] ?? 0) ? [a, b] : [b, a];
  for (const slot of absorbed.members) clusters.set(slot, survivor);
  survivor.members.push(...absorbed.members);
  absorbed.members = [];
  return survivor;
}

/**
 * Reports that are not reassigned form one cluster per story. Every other report forms its own
 * cluster, or joins the cluster of a report to which an operator linked it.
 */
function initialClusters(
  { stories, pins }: EngineState,
  open: readonly number[],
): Map<number, Cluster> {
  const isOpen = new Set(open);
  const clusters = new Map<number, Cluster>();
  const join = (slot: number, cluster: Cluster) => {
    clusters.set(slot, cluster);
    cluster.members.push(slot);
  };
  for (const story of new Set(open.flatMap((slot) => stories.storyOf(slot) ?? []))) {
    const unchanged: Cluster = { id: story.id, members: [] };
    for (const member of story.members) if (!isOpen.has(member)) join(member, unchanged);
  }
  for (const slot of open) {
    if (clusters.has(slot)) continue;
    const linked = pins
      .linkedWith(stories.itemId(slot))
      .flatMap((id) => clusters.get(stories.slotOf(id) ?? -1) ?? []);
    join(slot, linked[0] ?? { id: stories.itemId(slot), members: [] });
  }
  return clusters;
}

function overlapsOf({ stories }: EngineState, cluster: Cluster) {
  const byStory = Map.groupBy(cluster.members, (slot) => stories.storyOf(slot));
  return [...byStory].flatMap(([story, { length: shared }]) =>
    story === undefined ? [] : [{ cluster, story, shared, first: story.members[0] ?? 0 }],
  );
}

/** Moves the cluster's reports into its story, or into a new one. */
function placeCluster(
  { stories, scorer }: EngineState,
  { members }: Cluster,
  ownStory?: Story,
): void {
  const memberSet = new Set(members);
  const moving = members.filter((slot) => stories.storyOf(slot) !== ownStory);
  const absorbed = new Set(
    moving.filter((slot) =>
      stories.storyOf(slot)?.members.every((member) => memberSet.has(member)),
    ),
  );
  let story = ownStory;
  for (const slot of moving.sort((a, b) => a - b)) {
    if (ownStory === undefined) {
      if (story === undefined) story = stories.createStory(slot, false);
      else stories.moveItem(slot, story);
      stories.logAssignment(slot, 'split', 1, {});
      continue;
    }
    const score = probability(scorer.link([slot], ownStory.members));
    stories.moveItem(slot, ownStory);
    stories.logAssignment(slot, absorbed.has(slot) ? 'merged' : 'revisited', score, {});
  }
}
