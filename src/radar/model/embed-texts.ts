// Returns vectors for texts. Missing vectors are requested in batches. A claim on a text prevents
// two workers from sending the same text at the same time. The model is part of every key, so
// vectors of two models never mix. A text with a lost reply is requested once more, then omitted.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { Embed, EmbedOptions, EmbedResult } from '../../kernel/ports/model.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import { findDimensions, saveDimensions } from '../../store/model/embedding-models.ts';
import { claimRequest, failLostRequests } from '../../store/model/model-requests.ts';
import { addToModelDay } from '../../store/model/model-spending.ts';
import {
  claimVectors,
  findVectors,
  freeVectors,
  markVectorsLost,
  maxReleases,
  type StoredVector,
  saveVectors,
} from '../../store/model/model-vectors.ts';
import { inTransaction } from '../../store/platform/db.ts';
import type { ModelClientState } from './client-state.ts';
import {
  executeRequest,
  type ParsedCompletion,
  type RequestResult,
  type RequestSpec,
} from './execute-request.ts';
import { estimateTokens } from './request-cost.ts';
import { unitVector, vectorBytes, vectorOf } from './vectors.ts';

const EMBED_STEP = 'embed';

export function openEmbed(client: ModelClientState, model: string): Embed {
  return async (world, texts, options = {}) => {
    const emit = (outcome: string) => client.emit(world, { step: EMBED_STEP, model, outcome });
    try {
      const embedResult = await embedAll(client, world, model, { texts, ...options });
      await emit(embedResult.kind === 'embedded' ? 'answered' : embedResult.why);
      return embedResult;
    } catch (error) {
      const detail = messageOf(error);
      await emit('failed');
      world.log.error({ step: EMBED_STEP, model, error: detail }, 'texts were not embedded');
      return { kind: 'built_in', why: 'failed', detail };
    }
  };
}

/** Callers have a fallback without vectors, so they wait only briefly for other workers. */
const POLL_MS = 300;
const POLLS_MAX = 16;

type EmbedRequest = EmbedOptions & { readonly texts: readonly string[] };

async function embedAll(
  client: ModelClientState,
  world: World,
  model: string,
  { texts, budgetShare }: EmbedRequest,
): Promise<EmbedResult> {
  const { embeddings } = client.settings.file;
  const shortTexts = texts.map((text) => text.slice(0, embeddings.characters).toWellFormed());
  const hashes = shortTexts.map((text) => hashOf(text));
  const textByHash = new Map(hashes.map((hash, index) => [hash, shortTexts[index] ?? '']));
  let polls = 0;
  while (polls < POLLS_MAX) {
    const storedVectors = new Map<string, StoredVector>();
    for (const row of await findVectors(client.db, model, [...textByHash.keys()])) {
      storedVectors.set(row.hash, row);
    }
    const { wantedHashes, lostState } = await resolveMissingTexts(
      client,
      world,
      textByHash,
      storedVectors,
    );
    if (wantedHashes.length === 0) {
      const vectors = hashes.map((hash) => vectorOfHash(storedVectors, hash));
      if (vectors.some((vector) => vector !== null)) return { kind: 'embedded', model, vectors };
      const state = lostState === 'abandoned' ? 'refused' : 'held';
      return { kind: 'built_in', why: state, detail: 'the reply for these texts was lost' };
    }
    const batch = wantedHashes.slice(0, embeddings.batch);
    const requestResult = await requestBatch(client, world, model, {
      batch,
      textByHash,
      budgetShare,
    });
    if (requestResult?.kind === 'built_in') {
      return { kind: 'built_in', why: requestResult.why, detail: requestResult.detail };
    }
    if (requestResult !== null) continue;
    // Another worker is requesting these texts.
    polls += 1;
    await world.clock.sleep(POLL_MS);
  }
  return { kind: 'built_in', why: 'held', detail: 'another worker is requesting these texts' };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function vectorOfHash(
  vectors: ReadonlyMap<string, StoredVector>,
  hash: string,
): Float32Array | null {
  const vector = vectors.get(hash)?.vector ?? null;
  return vector === null ? null : vectorOf(vector);
}

type MissingTexts = {
  /** Hashes of texts to request now or to wait for. */
  readonly wantedHashes: readonly string[];
  /** Texts with a lost reply: `held` ones are requested again later, `abandoned` ones never. */
  readonly lostState: 'held' | 'abandoned';
};

/**
 * When the reply for a batch was lost, its texts are not requested for a time, then requested once
 * more, and then omitted. The requests of omitted texts end as failed.
 */
async function resolveMissingTexts(
  { db, settings }: ModelClientState,
  { clock }: World,
  textByHash: ReadonlyMap<string, string>,
  vectors: ReadonlyMap<string, StoredVector>,
): Promise<MissingTexts> {
  const now = clock.now();
  const unknownRetryMs = settings.file.unknownOutcomeRetrySeconds * 1000;
  const wantedHashes: string[] = [];
  const abandonedRequests = new Set<string>();
  let lostState: MissingTexts['lostState'] = 'abandoned';
  for (const hash of textByHash.keys()) {
    const row = vectors.get(hash);
    if (row?.vector) continue;
    const isLost = row !== undefined && row.receiptId !== '' && row.claimedUntil <= now;
    if (!isLost) wantedHashes.push(hash);
    else if (row.claimedUntil + unknownRetryMs > now) lostState = 'held';
    else if (row.released < maxReleases) wantedHashes.push(hash);
    else abandonedRequests.add(row.receiptId);
  }
  const error = 'the reply was lost twice, so the request is not sent again';
  if (abandonedRequests.size > 0)
    await inTransaction(db, (tx) => endLostRequests(tx, [...abandonedRequests], { now, error }));
  return { wantedHashes, lostState };
}

/** Ends requests whose reply was lost. The cost of a lost reply counts as paid. */
async function endLostRequests(
  tx: Db,
  receiptIds: readonly string[],
  failure: { readonly now: number; readonly error: string },
): Promise<void> {
  const { day } = shanghaiDay(failure.now);
  for (const released of await failLostRequests(tx, receiptIds, failure)) {
    const { step, model, held_cost: unknownCost } = released;
    await addToModelDay(tx, { day, step, model }, { unknown: 1, unknownCost });
  }
}

type EmbedBatch = {
  readonly batch: readonly string[];
  readonly textByHash: ReadonlyMap<string, string>;
  readonly budgetShare: number | undefined;
};

/** Null when other workers have claimed all texts. */
async function requestBatch(
  client: ModelClientState,
  world: World,
  model: string,
  { batch, textByHash, budgetShare }: EmbedBatch,
): Promise<RequestResult | null> {
  const { db, settings } = client;
  const { clock, ids } = world;
  const endpoint = await client.endpointOf(world, model);
  const release = await endpoint.semaphore.acquire();
  try {
    const now = clock.now();
    const claimedRequest = { id: ids.next(), claim: ids.next() };
    const { timeoutSeconds, queueTimeoutSeconds, unknownOutcomeRetrySeconds } = settings.file;
    const unknownRetryMs = unknownOutcomeRetrySeconds * 1000;
    const row = {
      id: claimedRequest.id,
      question: `embed ${claimedRequest.id}`,
      step: EMBED_STEP,
      model,
      prompt: EMBED_STEP,
      prompt_version: '',
      subject: null,
      turn: 0,
      round: 0,
    };
    const claimedHashes = await inTransaction(db, async (tx) => {
      // Time for the slot, the reply and its storage.
      const claimedUntil = now + (timeoutSeconds + queueTimeoutSeconds) * 1000 + 30_000;
      const claim = {
        model,
        receiptId: claimedRequest.id,
        until: claimedUntil,
        endedBefore: now - unknownRetryMs,
      };
      const { hashes: claimed, lostBatchIds } = await claimVectors(tx, batch, claim);
      const error = 'the reply was lost, so the texts are sent again';
      await endLostRequests(tx, lostBatchIds, { now, error });
      if (claimed.length > 0) {
        const claimOptions = {
          claim: claimedRequest.claim,
          now,
          unknownRetryMs,
          failureRetryMs: 0,
        };
        await claimRequest(tx, row, claimOptions);
      }
      return claimed;
    });
    if (claimedHashes.length === 0) return null;
    const texts = claimedHashes.map((hash) => textByHash.get(hash) ?? '');
    const dimensions = await findDimensions(db, model);
    const spec = {
      ...buildRequestSpec(model, { claimedRequest, claimedHashes, texts, dimensions }),
      budgetShare,
    };
    const requestResult = await executeRequest(client, world, endpoint, spec);
    if (requestResult.kind === 'built_in' && requestResult.isFree)
      await freeVectors(db, claimedRequest.id);
    else if (requestResult.kind === 'built_in')
      await markVectorsLost(db, claimedRequest.id, clock.now());
    return requestResult;
  } finally {
    release();
  }
}

type BatchPayload = {
  readonly claimedRequest: RequestSpec['claimedRequest'];
  readonly claimedHashes: readonly string[];
  readonly texts: readonly string[];
  /** Dimensions of this model's vectors, when known. */
  readonly dimensions: number | null;
};

function buildRequestSpec(
  model: string,
  { claimedRequest, claimedHashes, texts, dimensions }: BatchPayload,
): RequestSpec {
  const prompt = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const input = texts.map((text) => (text === '' ? ' ' : text));
  return {
    claimedRequest,
    step: EMBED_STEP,
    path: '/embeddings',
    estimate: { prompt, answer: 0 },
    body: () => JSON.stringify({ model, input, encoding_format: 'float' }),
    read: (bytes) => parseVectors(model, { bytes, claimedHashes, prompt, dimensions }),
  };
}

const replySchema = z.object({
  data: z
    .array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()).min(2) }))
    .min(1),
  usage: z
    .object({ prompt_tokens: z.int().min(0).max(1e9) })
    .nullish()
    .catch(null),
});

const maxDimensions = 16_384;

type VectorsReply = Pick<BatchPayload, 'claimedHashes' | 'dimensions'> & {
  readonly bytes: Uint8Array;
  /** Estimated tokens of the texts. */
  readonly prompt: number;
};

function parseVectors(
  model: string,
  { bytes, claimedHashes, prompt, dimensions: knownDimensions }: VectorsReply,
): ParsedCompletion {
  const malformedCompletion = (problem: string): ParsedCompletion => ({
    kind: 'malformed',
    problem,
  });
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return malformedCompletion('the server’s response is not JSON');
  }
  const parsed = replySchema.safeParse(json);
  if (!parsed.success) return malformedCompletion('the server’s response is not a list of vectors');
  const vectors = new Map<string, Float32Array>();
  for (const [position, { index = position, embedding }] of parsed.data.data.entries()) {
    const hash = claimedHashes[index];
    const vector = embedding.length > maxDimensions ? null : unitVector(embedding);
    if (hash === undefined || vector === null)
      return malformedCompletion('a vector cannot be used');
    vectors.set(hash, vector);
  }
  const dimensions = new Set([...vectors.values()].map((vector) => vector.length));
  if (vectors.size !== claimedHashes.length || dimensions.size !== 1) {
    return malformedCompletion('a vector is missing, or the vectors have different lengths');
  }
  const [length = 0] = dimensions;
  // The server now has a different model under this name. Vectors of two models are not comparable.
  if (knownDimensions !== null && knownDimensions !== length) {
    return malformedCompletion(`the vectors have ${length} numbers instead of ${knownDimensions}`);
  }
  return {
    kind: 'parsed',
    content: `${claimedHashes.length} vectors of ${length}`,
    finish: null,
    tokens: { prompt: parsed.data.usage?.prompt_tokens ?? prompt, answer: 0 },
    storeWithin: async (tx) => {
      if (knownDimensions === null) await saveDimensions(tx, model, length);
      const rows = [...vectors].map(([hash, vector]) => ({ hash, vector: vectorBytes(vector) }));
      await saveVectors(tx, model, rows);
    },
  };
}
