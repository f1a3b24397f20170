// Sends stories without a current model-written digest to a model, newest first. The request is
// made without locks. The result is used only when the story is unchanged.
import { mapInParts } from '../../../kernel/concurrency/map-in-parts.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { lockPublication } from '../../../store/radar/publication/publication-head.ts';
import {
  listStoriesAwaitingModel,
  listStoryDigests,
  type NewDigest,
  recordRequest,
  saveStoryDigests,
} from '../../../store/radar/stories/story-digests.ts';
import { listStoryReports } from '../../../store/radar/stories/story-reports.ts';
import { type Digest, digestRules, type ReportWithClaims } from '../digest/digest.ts';
import { type RewriteDigestDeps, type Rewritten, rewriteDigest } from '../digest/rewrite-digest.ts';
import { storyInputs, writeBuiltIn } from './digest-stories.ts';
import { findFirstParties } from './first-party.ts';
import { publishDocuments } from './publish-documents.ts';
import { readClaims } from './read-claims.ts';

/** Number of concurrent requests. */
const CONCURRENCY = 4;
const STORIES_PER_CALL = 40;
/** A digest whose text has not changed for this time is not sent. */
const MAX_AGE_MS = 7 * DAY_MS;
/** Minimum time before a request that did not finish is repeated. */
const RETRY_MS = 10 * 60_000;

/** Returns the number of digests that a model wrote. */
export async function rewriteDigests(
  world: World,
  db: Db,
  deps: RewriteDigestDeps,
  signal: AbortSignal,
): Promise<number> {
  const now = world.clock.now();
  const range = {
    since: now - MAX_AGE_MS,
    requestedBefore: now - RETRY_MS,
    limit: STORIES_PER_CALL,
  };
  const stories = await listStoriesAwaitingModel(db, range);
  const results = await mapInParts(
    stories,
    CONCURRENCY,
    (storyId) => rewriteStoryDigest(world, db, deps, storyId),
    () => !signal.aborted,
  );
  return results.filter((isWritten) => isWritten).length;
}

async function rewriteStoryDigest(
  world: World,
  db: Db,
  deps: RewriteDigestDeps,
  storyId: string,
): Promise<boolean> {
  const story = await readStory(world, db, storyId);
  if (story === null) return false;
  const { reports, inputsHash, storedDigest } = story;
  const digest = writeBuiltIn(world, reports);
  const before =
    storedDigest.digest_by === 'model' ? (storedDigest.digest as Digest).sentences : null;
  const rewritten = await rewriteDigest(world, deps, { storyId, reports, digest, before });
  return storeRewrittenDigest(world, db, {
    storyId,
    inputsHash,
    ruleBasedDigest: digest,
    rewrittenDigest: rewritten,
  });
}

type RewritableStory = {
  readonly reports: readonly ReportWithClaims[];
  readonly inputsHash: string;
  readonly storedDigest: NewDigest;
};

/** Reads a public story; null: not public, or its rule-based digest is not up to date. */
async function readStory(world: World, db: Db, storyId: string): Promise<RewritableStory | null> {
  const rows = await listStoryReports(db, [storyId]);
  const [storedDigest] = await listStoryDigests(db, [storyId]);
  if (rows.length === 0 || storedDigest === undefined || storedDigest.rules !== digestRules)
    return null;
  const firstPartyIds = findFirstParties(rows);
  const { reports, inputsHash } = storyInputs(
    rows.map((row) => ({ ...row, firstParty: firstPartyIds.has(row.id) })),
  );
  if (inputsHash !== storedDigest.inputs_hash) return null;
  const claimsByReport = await readClaims(world, db, reports);
  const reportsWithClaims = reports.flatMap((report) => claimsByReport.get(report.id) ?? []);
  return { reports: reportsWithClaims, inputsHash, storedDigest };
}

type RewriteContext = {
  readonly storyId: string;
  readonly inputsHash: string;
  readonly ruleBasedDigest: Digest;
  readonly rewrittenDigest: Rewritten;
};

/** A reply is discarded when a report was added, changed or removed meanwhile. */
async function storeRewrittenDigest(
  world: World,
  db: Db,
  { storyId, inputsHash, ruleBasedDigest, rewrittenDigest }: RewriteContext,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockPublication(world, tx);
    const [storedDigest] = await listStoryDigests(tx, [storyId]);
    if (storedDigest === undefined || storedDigest.inputs_hash !== inputsHash) return false;
    const isWritten = rewrittenDigest.kind === 'rewritten';
    const isFinished = isWritten || rewrittenDigest.isFinal;
    const at = world.clock.now();
    await recordRequest(tx, storyId, { inputs: isFinished ? inputsHash : null, at });
    // When no model responds, an outdated model digest is replaced by the rule-based one.
    if (!isWritten && storedDigest.digest_by === 'rules') return false;
    const newText = isWritten
      ? {
          digest: rewrittenDigest.digest,
          digest_by: 'model' as const,
          written_with: rewrittenDigest.with,
        }
      : { digest: ruleBasedDigest, digest_by: 'rules' as const, written_with: null };
    const { version } = storedDigest;
    await saveStoryDigests(tx, [
      { ...storedDigest, ...newText, version: version + 1, updated_at: at },
    ]);
    await publishDocuments(world, tx, [{ kind: 'story', key: storyId }]);
    return isWritten;
  });
}
