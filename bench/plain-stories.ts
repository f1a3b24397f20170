// The plain baseline for the story engine. It clusters by average link over the cosine of TF-IDF
// vectors with one threshold. The title has weight 2, and the text is cut at 600 characters.
import { splitWords } from '../src/radar/stories/text/split-words.ts';
import { stem } from '../src/radar/stories/text/stem.ts';

type Text = { readonly title: string; readonly text?: string };
export type Merge = { readonly a: number; readonly b: number; readonly similarity: number };

const leadCharacters = 600;

/** All merges until one cluster remains, the most similar pair first. */
export function mergeByAverageLink(items: readonly Text[]): readonly Merge[] {
  const vectors = computeVectors(items);
  const size = items.length;
  const table = new Float32Array(size * size);
  const postings = new Map<number, [item: number, weight: number][]>();
  for (const [item, vector] of vectors.entries()) {
    for (const [term, weight] of vector) {
      const termPostings = postings.get(term) ?? [];
      for (const [other, otherWeight] of termPostings) {
        const cell = item * size + other;
        table[cell] = (table[cell] ?? 0) + weight * otherWeight;
      }
      termPostings.push([item, weight]);
      postings.set(term, termPostings);
    }
  }
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b < a; b += 1) table[b * size + a] = table[a * size + b] ?? 0;
  }
  return averageLink(table, size);
}

/** Each item's cluster, as the index of one of its items. Merges below `threshold` are ignored. */
export function assignClusters(
  merges: readonly Merge[],
  size: number,
  threshold: number,
): Int32Array {
  const parent = Int32Array.from({ length: size }, (_, index) => index);
  const findRoot = (index: number): number => {
    let current = index;
    while (parent[current] !== current) current = parent[current] ?? current;
    return current;
  };
  for (const { a, b, similarity } of merges) {
    if (similarity < threshold) break;
    parent[findRoot(b)] = findRoot(a);
  }
  return parent.map((_, index) => findRoot(index));
}

function computeVectors(items: readonly Text[]): readonly ReadonlyMap<number, number>[] {
  const termNumbers = new Map<string, number>();
  const documentCounts: number[] = [];
  const termCounts = items.map(({ title, text = '' }) => {
    const counts = new Map<number, number>();
    for (const [part, times] of [
      [title, 2],
      [text.slice(0, leadCharacters), 1],
    ] as const) {
      for (const word of listTerms(part.toLowerCase())) {
        const number = termNumbers.get(word) ?? termNumbers.size;
        termNumbers.set(word, number);
        counts.set(number, (counts.get(number) ?? 0) + times);
      }
    }
    for (const number of counts.keys()) documentCounts[number] = (documentCounts[number] ?? 0) + 1;
    return counts;
  });
  return termCounts.map((counts) => {
    const vector = new Map<number, number>();
    let squaredLength = 0;
    for (const [number, times] of counts) {
      const rarity = Math.log((items.length + 1) / (documentCounts[number] ?? 1));
      const weight = (1 + Math.log(times)) * rarity;
      vector.set(number, weight);
      squaredLength += weight * weight;
    }
    const length = Math.sqrt(squaredLength) || 1;
    return new Map([...vector].map(([number, weight]) => [number, weight / length]));
  });
}

/** Words of alphabetic scripts, and pairs of neighbouring ideographs. */
function listTerms(text: string): readonly string[] {
  const units = splitWords(text, stem);
  const pairs = [...text.matchAll(/(?=(\p{sc=Han}{2}))/gu)].map(([, pair = '']) => pair);
  return [...units.filter(({ kind }) => kind !== 'han').map((unit) => unit.text), ...pairs];
}

/**
 * Merges by nearest-neighbour chains. For average link, the merges are those of an algorithm that
 * always merges the most similar pair.
 */
function averageLink(table: Float32Array, size: number): readonly Merge[] {
  const weight = new Float64Array(size).fill(1);
  const activeClusters = new Set(weight.keys());
  const merges: Merge[] = [];
  const chain: number[] = [];
  while (activeClusters.size > 1) {
    if (chain.length === 0) chain.push(activeClusters.values().next().value ?? 0);
    const current = chain.at(-1) ?? 0;
    const previous = chain.at(-2);
    let [best, highest] = [
      previous ?? -1,
      previous === undefined ? -1 : (table[current * size + previous] ?? 0),
    ];
    for (const other of activeClusters) {
      const similarity = table[current * size + other] ?? 0;
      if (other !== current && similarity > highest) [best, highest] = [other, similarity];
    }
    if (best !== previous) {
      chain.push(best);
      continue;
    }
    chain.length -= 2;
    merges.push({ a: current, b: best, similarity: highest });
    const [currentWeight, bestWeight] = [weight[current] ?? 1, weight[best] ?? 1];
    for (const other of activeClusters) {
      const [first, second] = [table[current * size + other] ?? 0, table[best * size + other] ?? 0];
      const mean = (first * currentWeight + second * bestWeight) / (currentWeight + bestWeight);
      table[current * size + other] = mean;
      table[other * size + current] = mean;
    }
    weight[current] = currentWeight + bestWeight;
    activeClusters.delete(best);
  }
  return merges.sort((a, b) => b.similarity - a.similarity);
}
