// The adviser adds evidence from vectors, and from a model where the engine is unsure, for each new
// item. It decides nothing; without a reply the engine decides alone. On average, five items allow
// one model request. An item takes one request, a pair of stories takes two.
import { mapInParts } from '../../../kernel/concurrency/map-in-parts.ts';
import type { Embed, ModelRequester } from '../../../kernel/ports/model.ts';
import type { World } from '../../../kernel/world.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import { type Advice, isUncertain, type NearProposal, noAdvice, type Proposal } from './advice.ts';
import type { MergeCandidate, MergeVerdict } from './merge-candidates.ts';
import { type CalibrationStore, openNeighbours, type VectorState } from './open-neighbours.ts';
import {
  createRelateTask,
  maxCandidates,
  type RelatePrompt,
  type RelateReply,
  relatedOf,
} from './relate-question.ts';
import { joinReports, relateStories, requestsPerVerdict } from './relate-stories.ts';

export type AdviserDeps = {
  /** Null: only vectors, no model. */
  readonly requestModel: ModelRequester | null;
  /** Null: no vectors. */
  readonly embed: Embed | null;
  readonly relate: RelatePrompt;
  readonly joinFrom: number;
  readonly liveDays: number;
  readonly calibration?: CalibrationStore;
};

export type Adviser = ReturnType<typeof openAdviser>;

export type UncertainMatch = {
  readonly proposal: Proposal;
  readonly advice: Advice;
  readonly itemOf: (id: string) => StoryItem | undefined;
};

/** Model requests that each new item allows: about items, and about pairs of stories. */
const requestsPerItem = { items: 0.14, pairs: 0.06 } as const;
/** Unused requests are kept for busy hours, up to this number. */
const maxUnused = 40;
/** Pairs in one batch of requests. */
const pairsAtOnce = 4;

export function openAdviser(deps: AdviserDeps) {
  const { embed, liveDays, calibration, joinFrom } = deps;
  const neighbours = embed === null ? null : openNeighbours({ embed, liveDays, calibration });
  const modelClient = openModelQuestions(deps);
  let items = 0;
  return {
    /** Loads vectors of assigned items, newest first, so that new items can find them. */
    loadVectors: async (world: World, assigned: readonly StoryItem[]): Promise<VectorState> =>
      neighbours === null ? 'full' : neighbours.loadVectors(world, assigned),
    /** Indexes new items by vector and returns each item's neighbours as advice. */
    adviseByVectors: async (
      world: World,
      newItems: readonly StoryItem[],
    ): Promise<ReadonlyMap<string, Advice>> => {
      items += newItems.length;
      modelClient.allowRequests(newItems.length);
      const batch = await neighbours?.addItems(world, newItems);
      return new Map(
        newItems.map(({ id }) => {
          return [id, { ...noAdvice, nearness: batch?.get(id) ?? noAdvice.nearness }];
        }),
      );
    },
    /** Adds a model's reply to the advice when the engine's proposal is uncertain. */
    relate: async (
      world: World,
      item: StoryItem,
      { proposal, advice, itemOf }: UncertainMatch,
    ): Promise<Advice> => {
      const uncertain = proposal.near.filter(({ odds }) => isUncertain(odds, joinFrom));
      if (uncertain.length === 0 || isCertain(proposal, joinFrom)) return advice;
      const candidates = uncertain.slice(0, maxCandidates).flatMap(({ itemIds }) => {
        const candidate = itemOf(itemIds[0] ?? '');
        return candidate === undefined ? [] : [candidate];
      });
      const related = await modelClient.requestRelations(world, item, candidates);
      return related === null ? advice : { ...advice, ...adviceOf(related) };
    },
    /**
     * Requests, in both orders, whether the two stories of a pair are one event. Returns one
     * verdict per pair, in the order of `candidates`.
     */
    relateStories: async (
      world: World,
      candidates: readonly MergeCandidate[],
      itemOf: UncertainMatch['itemOf'],
    ): Promise<readonly MergeVerdict[]> => {
      return mapInParts(candidates, pairsAtOnce, async (pair) => {
        return { ...pair, verdict: await modelClient.requestVerdict(world, pair, itemOf) };
      });
    },
    counts: () => ({ items, ...modelClient.counts(), vectors: neighbours?.size() ?? 0 }),
  };
}

function openModelQuestions({ requestModel, relate }: AdviserDeps) {
  // `pairs`: pairs of stories that were sent; `agreedCount`: pairs with two agreeing replies.
  const counts = { requestCount: 0, replyCount: 0, pairs: 0, agreedCount: 0 };
  const unused = { items: 0, pairs: 0 };
  const requestAndCount: ModelRequester | null =
    requestModel &&
    (async (world, question) => {
      counts.requestCount += 1;
      const result = await requestModel(world, question);
      if (result.kind === 'answered') counts.replyCount += 1;
      return result;
    });
  return {
    counts: () => counts,
    /** Adds the requests that these new items allow. */
    allowRequests: (items: number) => {
      unused.items = Math.min(maxUnused, unused.items + items * requestsPerItem.items);
      unused.pairs = Math.min(maxUnused, unused.pairs + items * requestsPerItem.pairs);
    },
    requestRelations: async (
      world: World,
      report: StoryItem,
      candidates: readonly StoryItem[],
    ): Promise<readonly RelateReply[] | null> => {
      if (requestAndCount === null || unused.items < 1 || candidates.length === 0) return null;
      unused.items -= 1;
      const result = await requestAndCount(world, createRelateTask(relate, report, candidates));
      return result.kind === 'answered' ? relatedOf(result.value, candidates) : null;
    },
    /** Two requests, one in each order of the stories. */
    requestVerdict: async (
      world: World,
      pair: MergeCandidate,
      itemOf: UncertainMatch['itemOf'],
    ): Promise<MergeVerdict['verdict']> => {
      const [a, b] = [joinReports(pair.a, itemOf), joinReports(pair.b, itemOf)];
      if (requestAndCount === null || unused.pairs < requestsPerVerdict || a === null || b === null)
        return 'no-reply';
      unused.pairs -= requestsPerVerdict;
      counts.pairs += 1;
      const verdict = await relateStories(world, { requestModel: requestAndCount, relate }, [a, b]);
      if (verdict === 'same' || verdict === 'apart') counts.agreedCount += 1;
      return verdict;
    },
  };
}

/** One story is certain, and no other one is similar. */
function isCertain({ near }: Proposal, joinFrom: number): boolean {
  const [first, second] = near;
  const isSure = (each: NearProposal | undefined) =>
    each !== undefined && each.odds > joinFrom && !isUncertain(each.odds, joinFrom);
  return isSure(first) && (second === undefined || second.odds < joinFrom);
}

/** Joins the first item that reports the same event; items of other relations are kept apart. */
function adviceOf(related: readonly RelateReply[]): Pick<Advice, 'join' | 'unrelatedItems'> {
  const same = related.find(({ relation }) => relation === 'same_event');
  const unrelated = related.filter(({ relation }) => relation !== 'same_event');
  return { join: same?.itemId ?? null, unrelatedItems: unrelated.map(({ itemId }) => itemId) };
}
