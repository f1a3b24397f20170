// Embeddings: each text is paid once per model, vectors of two models never mix, and invalid
// replies change nothing.
import { expect, test } from 'vitest';
import { dimensions } from '../../demo/upstream/model/embed-text.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { countUnknownOutcomes, readSpendingSince } from '../../src/radar/model/model-report.ts';
import { cosine } from '../../src/radar/model/vectors.ts';
import { openTestModel } from './test-model.ts';

const testModel = await openTestModel();
const { world, db, server } = testModel;

const texts = [
  'Orrinfell raises $2 billion for a data centre in Port Lanner.',
  '奥林菲融资20亿美元，用于兰纳港的数据中心。',
  'A court in Ostrey fines a bakery for late bread.',
];

const embedWith = (overrides: Parameters<typeof testModel.openProcess>[1] = {}) => {
  const { embed } = testModel.openProcess(
    { embeddings: { batch: 2 }, timeoutSeconds: 20 },
    overrides,
  );
  if (embed === null) throw new Error('no embeddings');
  return embed;
};

const vectorsOf = async (embed: ReturnType<typeof embedWith>, texts: readonly string[]) => {
  const result = await embed(world, texts);
  if (result.kind !== 'embedded') throw new Error(JSON.stringify(result));
  return result.vectors;
};

const inputs = () =>
  server.requests.map(({ input }) => input).filter((input) => input !== undefined);

test('sends each text once, in batches, and shares the vectors between workers', async () => {
  const vectors = await vectorsOf(embedWith(), [...texts, texts[0] ?? '']);
  expect(vectors).toHaveLength(4);
  expect(vectors[3]).toEqual(vectors[0]);
  expect(inputs().map((input) => (input as string[]).length)).toEqual([2, 1]);
  expect(await vectorsOf(embedWith(), texts)).toEqual(vectors.slice(0, 3));
  expect(inputs()).toHaveLength(2);
});

test('vectors have length 1, and translations of a text are similar', async () => {
  const [english, chinese, bread] = await vectorsOf(embedWith(), texts);
  if (!english || !chinese || !bread) throw new Error('a vector is missing');
  expect(english).toHaveLength(dimensions);
  expect(cosine(english, english)).toBeCloseTo(1, 5);
  expect(cosine(english, chinese)).toBeGreaterThan(cosine(english, bread) + 0.2);
});

test('another model has separate vectors', async () => {
  const requestsBefore = inputs().length;
  await vectorsOf(embedWith({ embeddingModel: 'other-vectors' }), texts.slice(0, 1));
  expect(inputs()).toHaveLength(requestsBefore + 1);
});

test('concurrent workers pay for the same texts once', async () => {
  const requestsBefore = server.billed.length;
  const texts = ['one text', 'and another'];
  const allVectors = await Promise.all([
    vectorsOf(embedWith(), texts),
    vectorsOf(embedWith(), [...texts].reverse()),
    vectorsOf(embedWith(), texts),
  ]);
  expect(allVectors[1]?.[1]).toEqual(allVectors[0]?.[0]);
  const paidInputs = server.requests.slice(requestsBefore).flatMap(({ input }) => input);
  expect(paidInputs.toSorted()).toEqual(texts.toSorted());
});

test('vectors in another order are matched by their index', async () => {
  const orderedVectors = await vectorsOf(
    embedWith({ embeddingModel: 'v-straight' }),
    texts.slice(0, 2),
  );
  server.script(['shuffled']);
  expect(await vectorsOf(embedWith({ embeddingModel: 'v-other' }), texts.slice(0, 2))).toEqual(
    orderedVectors,
  );
});

test.each(['short-batch', 'ragged', 'zero-vector', 'error-in-200', 'cut', 'slow'] as const)(
  'an invalid reply (%s) is discarded, and the texts are requested again later',
  async (fault) => {
    const embed = embedWith({ embeddingModel: `v-${fault}` });
    server.script([fault]);
    expect(await embed(world, texts.slice(0, 2))).toMatchObject({ why: 'failed' });
    const requestsBefore = server.requests.length;
    expect(await embed(world, texts.slice(0, 2))).toMatchObject({ why: 'held' });
    expect(server.requests.length).toBe(requestsBefore);
    testModel.passTime(601_000);
    expect(await vectorsOf(embed, texts.slice(0, 2))).toHaveLength(2);
  },
);

test('a lost batch is sent once more, and then omitted and counted as unknown', async () => {
  const embed = embedWith({ embeddingModel: 'v-lost' });
  const lostTexts = texts.slice(0, 2);
  server.script(['slow']);
  expect(await embed(world, lostTexts)).toMatchObject({ why: 'failed' });
  const vectors = await vectorsOf(embed, [...lostTexts, 'beside it']);
  expect(vectors.map((vector) => vector === null)).toEqual([true, true, false]);
  testModel.passTime(601_000);
  server.script(['slow']);
  expect(await embed(world, lostTexts)).toMatchObject({ why: 'failed' });
  testModel.passTime(601_000);
  const requestsBefore = server.requests.length;
  expect(await embed(world, lostTexts)).toMatchObject({ why: 'refused' });
  expect(server.requests.length).toBe(requestsBefore);
  const days = await readSpendingSince(db, '2026-01-01');
  const unknownCounts = days.filter(({ model }) => model === 'v-lost').map((day) => day.unknown);
  expect(unknownCounts.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(await countUnknownOutcomes(world, db)).toBe(0);
});

test('uses no more than its share of a common budget', async () => {
  const models = { 'v-shared': { budget: { day: { requests: 4 } } } };
  const { embed } = testModel.openProcess({ models }, { embeddingModel: 'v-shared' });
  testModel.passTime(DAY_MS);
  const kinds: string[] = [];
  for (const text of ['old 1', 'old 2', 'old 3']) {
    kinds.push((await embed?.(world, [text], { budgetShare: 0.5 }))?.kind ?? '');
  }
  expect(kinds).toEqual(['embedded', 'embedded', 'built_in']);
  expect(await embed?.(world, ['new'])).toMatchObject({ kind: 'embedded' });
});

test('rejects vectors of another length under the same model name', async () => {
  const embed = embedWith({ embeddingModel: 'v-same' });
  await vectorsOf(embed, texts.slice(0, 1));
  server.script(['other-size']);
  expect(await embed(world, texts.slice(1))).toEqual({
    kind: 'built_in',
    why: 'failed',
    detail: `the vectors have ${dimensions / 2} numbers instead of ${dimensions}`,
  });
});

test('a budget also limits texts, and unsent texts are free', async () => {
  const models = { 'v-poor': { budget: { day: { requests: 1 } } } };
  const { embed } = testModel.openProcess({ models }, { embeddingModel: 'v-poor' });
  testModel.passTime(DAY_MS);
  await embed?.(world, ['paid']);
  expect(await embed?.(world, ['not paid'])).toMatchObject({ kind: 'built_in', why: 'budget' });
  testModel.passTime(DAY_MS);
  expect(await embed?.(world, ['not paid'])).toMatchObject({ kind: 'embedded' });
});
