// Encodes the features of an item as bytes for storage. A term is two hashes and a share; an entry
// is a position in the list of terms with the term's frequency. An engine that is restored from the
// bytes has the same features as the engine that read the text. All numbers are little-endian.
import { type FeatureSection, frequencyOf, packEntry, sections, termOf } from './feature-store.ts';
import type { Terms } from './terms.ts';

export type StoredFeatures = {
  /** Flags of the item, eight bits. */
  readonly flags: number;
  /** Entries, as `packEntry` encodes them. */
  readonly lists: Readonly<Record<FeatureSection, readonly number[]>>;
};

/** Increased with every change of this layout or of the features. */
export const featureFormat = 12;

// Bytes: format, flags, terms (2), then the length of each section (2 each). Then first hashes (4
// each), second hashes (4 each), shares (2 each), and entries of all sections (2 each).
const header = 4 + sections.length * 2;
/** A stored entry has 12 bits for the position in the list of terms and 4 for the frequency. */
const maxTerms = 4_095;

export function packFeatures({ flags, lists }: StoredFeatures, terms: Terms): Uint8Array {
  const indexes = new Map<number, number>();
  const placeOf = (term: number): number => {
    const place = indexes.get(term);
    if (place !== undefined) return place;
    indexes.set(term, indexes.size);
    return indexes.size - 1;
  };
  const entries: number[] = [];
  const lengths = sections.map((name) => {
    const before = entries.length;
    for (const entry of lists[name]) {
      const place = placeOf(termOf(entry));
      if (place < maxTerms) entries.push(packEntry(place, frequencyOf(entry)));
    }
    return entries.length - before;
  });
  const ids = [...indexes.keys()].slice(0, maxTerms);
  const bytes = new Uint8Array(header + ids.length * 10 + entries.length * 2);
  const data = new DataView(bytes.buffer);
  bytes[0] = featureFormat;
  bytes[1] = flags;
  data.setUint16(2, ids.length, true);
  for (const [index, length] of lengths.entries()) data.setUint16(4 + index * 2, length, true);
  for (const [index, id] of ids.entries()) {
    const [low, high, share] = terms.storedForm(id);
    data.setUint32(header + index * 4, low, true);
    data.setUint32(header + (ids.length + index) * 4, high, true);
    data.setUint16(header + ids.length * 8 + index * 2, share, true);
  }
  const from = header + ids.length * 10;
  for (const [index, entry] of entries.entries()) data.setUint16(from + index * 2, entry, true);
  return bytes;
}

/** Null when the bytes have another format or are truncated. */
export function unpackFeatures(bytes: Uint8Array, terms: Terms): StoredFeatures | null {
  if (bytes[0] !== featureFormat || bytes.length < header) return null;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = data.getUint16(2, true);
  const lengths = sections.map((_, index) => data.getUint16(4 + index * 2, true));
  let at = header + count * 10;
  const end = at + lengths.reduce((sum, length) => sum + length, 0) * 2;
  if (end > bytes.length) return null;
  const ids = new Int32Array(count);
  for (let place = 0; place < count; place += 1) {
    ids[place] = terms.internStored(
      data.getUint32(header + place * 4, true),
      data.getUint32(header + (count + place) * 4, true),
      data.getUint16(header + count * 8 + place * 2, true),
    );
  }
  const lists = {} as Record<FeatureSection, number[]>;
  for (const [section, name] of sections.entries()) {
    const list = new Array<number>(lengths[section] ?? 0);
    for (let item = 0; item < list.length; item += 1, at += 2) {
      const entry = data.getUint16(at, true);
      list[item] = packEntry(ids[termOf(entry)] ?? 0, frequencyOf(entry));
    }
    lists[name] = list;
  }
  return { flags: bytes[1] ?? 0, lists };
}
