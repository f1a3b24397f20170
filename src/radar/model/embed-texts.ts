// Vectors for texts: those that were paid for, and the others asked in batches. A text is claimed
// in the transaction that records its batch, and its vector is kept in the one that records the
// answer. Vectors of two models are never given together: a model is part of every key. A text
// whose answer was lost is held, sent again once, and then never; the others are given without it.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { Embed, Embedded, EmbedOptions } from '../../kernel/ports/model.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import { dimensionsOf, saveDimensions } from '../../store/model/embedding-models.ts';
import { claimReceipt, letGoReceipts } from '../../store/model/model-requests.ts';
import { countDay } from '../../store/model/model-spending.ts';
import {
  claimVectors,
  findVectors,
  freeVectors,
  loseVectors,
  mostReleases,
  type StoredVector,
  saveVectors,
} from '../../store/model/model-vectors.ts';
import { inTransaction } from '../../store/platform/db.ts';
import type { House } from './client-state.ts';
import { type Bill, type Paid, pay, type Taken } from './execute-request.ts';
import { estimateTokens } from './request-cost.ts';
import { unitVector, vectorBytes, vectorOf } from './vectors.ts';

const EMBED = 'embed';

export function openEmbed(house: House, model: string): Embed {
  return async (world, texts, options = {}) => {
    const tell = (outcome: string) => house.tell(world, { step: EMBED, model, outcome });
    try {
      const embedded = await embedAll(house, world, model, { texts, ...options });
      await tell(embedded.kind === 'embedded' ? 'answered' : embedded.why);
      return embedded;
    } catch (error) {
      const detail = messageOf(error);
      await tell('failed');
      world.log.error({ step: EMBED, model, error: detail }, 'texts were not embedded');
      return { kind: 'built_in', why: 'failed', detail };
    }
  };
}

/** Whoever needs vectors has a way without: others' are waited for but shortly. */
const POLL_MS = 300;
const POLLS = 16;

type Wanted = EmbedOptions & { readonly texts: readonly string[] };

async function embedAll(
  house: House,
  world: World,
  model: string,
  { texts, budgetShare }: Wanted,
): Promise<Embedded> {
  const { embeddings } = house.settings.file;
  const cut = texts.map((text) => text.slice(0, embeddings.characters).toWellFormed());
  const hashes = cut.map((text) => hashOf(text));
  const byHash = new Map(hashes.map((hash, at) => [hash, cut[at] ?? '']));
  let polls = 0;
  while (polls < POLLS) {
    const found = new Map<string, StoredVector>();
    for (const row of await findVectors(house.db, model, [...byHash.keys()])) {
      found.set(row.hash, row);
    }
    const { wanted, lostFor } = await missingOf(house, world, byHash, found);
    if (wanted.length === 0) {
      const vectors = hashes.map((hash) => vectorIn(found, hash));
      if (vectors.some((vector) => vector !== null)) return { kind: 'embedded', model, vectors };
      const why = lostFor === 'ever' ? 'refused' : 'held';
      return { kind: 'built_in', why, detail: 'the answer for them was lost' };
    }
    const batch = wanted.slice(0, embeddings.batch);
    const paid = await askBatch(house, world, model, { batch, byHash, budgetShare });
    if (paid?.kind === 'built_in') {
      return { kind: 'built_in', why: paid.why, detail: paid.detail };
    }
    // Somebody else asks for them right now.
    if (paid !== null) continue;
    polls += 1;
    await world.clock.sleep(POLL_MS);
  }
  return { kind: 'built_in', why: 'held', detail: 'another worker asks for them right now' };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function vectorIn(found: ReadonlyMap<string, StoredVector>, hash: string): Float32Array | null {
  const vector = found.get(hash)?.vector ?? null;
  return vector === null ? null : vectorOf(vector);
}

type Missing = {
  /** To be sent now, or awaited. */
  readonly wanted: readonly string[];
  /** For how long the others are left out. */
  readonly lostFor: 'now' | 'ever';
};

/** Texts of a batch whose answer was lost are held, sent again once, and then given up. */
async function missingOf(
  { db, settings }: House,
  { clock }: World,
  byHash: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, StoredVector>,
): Promise<Missing> {
  const now = clock.now();
  const holdMs = settings.file.holdSeconds * 1000;
  const wanted: string[] = [];
  const givenUp = new Set<string>();
  let lostFor: Missing['lostFor'] = 'ever';
  for (const hash of byHash.keys()) {
    const row = found.get(hash);
    if (row?.vector) continue;
    const isLost = row !== undefined && row.receiptId !== '' && row.claimedUntil <= now;
    if (!isLost) wanted.push(hash);
    else if (row.claimedUntil + holdMs > now) lostFor = 'now';
    else if (row.released < mostReleases) wanted.push(hash);
    else givenUp.add(row.receiptId);
  }
  const error = 'its answer was lost twice, so it is not asked again';
  if (givenUp.size > 0) await inTransaction(db, (tx) => letGo(tx, [...givenUp], { now, error }));
  return { wanted, lostFor };
}

/** An answer that never came counts as paid for. */
async function letGo(
  tx: Db,
  receiptIds: readonly string[],
  failure: { readonly now: number; readonly error: string },
): Promise<void> {
  const { day } = shanghaiDay(failure.now);
  for (const released of await letGoReceipts(tx, receiptIds, failure)) {
    const { step, model, held_cost: unknownCost } = released;
    await countDay(tx, { day, step, model }, { unknown: 1, unknownCost });
  }
}

type Batch = {
  readonly batch: readonly string[];
  readonly byHash: ReadonlyMap<string, string>;
  readonly budgetShare: number | undefined;
};

/** Null: all of them were claimed by somebody else. */
async function askBatch(
  house: House,
  world: World,
  model: string,
  { batch, byHash, budgetShare }: Batch,
): Promise<Paid | null> {
  const { db, settings } = house;
  const { clock, ids } = world;
  const peer = await house.peer(world, model);
  const leave = await peer.gate.enter();
  try {
    const now = clock.now();
    const receipt = { id: ids.next(), claim: ids.next() };
    const { timeoutSeconds, patienceSeconds, holdSeconds } = settings.file;
    const holdMs = holdSeconds * 1000;
    const asked = {
      id: receipt.id,
      question: `embed ${receipt.id}`,
      step: EMBED,
      model,
      prompt: EMBED,
      prompt_version: '',
      subject: null,
      turn: 0,
      round: 0,
    };
    const mine = await inTransaction(db, async (tx) => {
      // For its turn, its answer, and writing that down.
      const until = now + (timeoutSeconds + patienceSeconds) * 1000 + 30_000;
      const claim = { model, receiptId: receipt.id, until, endedBefore: now - holdMs };
      const { hashes: claimed, lostIn } = await claimVectors(tx, batch, claim);
      const error = 'its answer was lost, and its texts are sent again';
      await letGo(tx, lostIn, { now, error });
      if (claimed.length > 0) {
        await claimReceipt(tx, asked, { claim: receipt.claim, now, holdMs, restMs: 0 });
      }
      return claimed;
    });
    if (mine.length === 0) return null;
    const texts = mine.map((hash) => byHash.get(hash) ?? '');
    const dimensions = await dimensionsOf(db, model);
    const bill = { ...billOf(model, { receipt, mine, texts, dimensions }), budgetShare };
    const paid = await pay(house, world, peer, bill);
    if (paid.kind === 'built_in' && paid.isFree) await freeVectors(db, receipt.id);
    else if (paid.kind === 'built_in') await loseVectors(db, receipt.id, clock.now());
    return paid;
  } finally {
    leave();
  }
}

type Sending = {
  readonly receipt: Bill['receipt'];
  readonly mine: readonly string[];
  readonly texts: readonly string[];
  /** Of vectors of this model, once one is known. */
  readonly dimensions: number | null;
};

function billOf(model: string, { receipt, mine, texts, dimensions }: Sending): Bill {
  const prompt = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const input = texts.map((text) => (text === '' ? ' ' : text));
  return {
    receipt,
    step: EMBED,
    path: '/embeddings',
    estimate: { prompt, answer: 0 },
    body: () => JSON.stringify({ model, input, encoding_format: 'float' }),
    read: (bytes) => takenOf(model, { bytes, mine, prompt, dimensions }),
  };
}

const reply = z.object({
  data: z
    .array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()).min(2) }))
    .min(1),
  usage: z
    .object({ prompt_tokens: z.int().min(0).max(1e9) })
    .nullish()
    .catch(null),
});

const mostDimensions = 16_384;

type Reading = Pick<Sending, 'mine' | 'dimensions'> & {
  readonly bytes: Uint8Array;
  readonly prompt: number;
};

function takenOf(model: string, { bytes, mine, prompt, dimensions: known }: Reading): Taken {
  const malformed = (what: string): Taken => ({ kind: 'malformed', what });
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return malformed('the server’s answer is not JSON');
  }
  const read = reply.safeParse(json);
  if (!read.success) return malformed('the server’s answer is no list of vectors');
  const vectors = new Map<string, Float32Array>();
  for (const [at, { index = at, embedding }] of read.data.data.entries()) {
    const hash = mine[index];
    const vector = embedding.length > mostDimensions ? null : unitVector(embedding);
    if (hash === undefined || vector === null) return malformed('a vector cannot be used');
    vectors.set(hash, vector);
  }
  const dimensions = new Set([...vectors.values()].map((vector) => vector.length));
  if (vectors.size !== mine.length || dimensions.size !== 1) {
    return malformed('there is not one vector, of one length, for each text');
  }
  const [length = 0] = dimensions;
  // The same name, another model: its vectors must not lie beside the others.
  if (known !== null && known !== length) {
    return malformed(`its vectors have ${length} numbers, and had ${known}`);
  }
  return {
    kind: 'taken',
    answer: `${mine.length} vectors of ${length}`,
    finish: null,
    tokens: { prompt: read.data.usage?.prompt_tokens ?? prompt, answer: 0 },
    keep: async (tx) => {
      if (known === null) await saveDimensions(tx, model, length);
      const rows = [...vectors].map(([hash, vector]) => ({ hash, vector: vectorBytes(vector) }));
      await saveVectors(tx, model, rows);
    },
  };
}
