// Names in two scripts, learned from the stream: whoever writes "Atlas (寰宇)" or "寰宇（Atlas）"
// says that both are one. What was learned is found in every later text.

/** A name in ideographs and the Latin word that stands beside it. */
export type NamePair = readonly [han: string, latin: string];

export type Glossary = {
  /** Reads the pairs that stand in a text and keeps them; `text` keeps its case. */
  learn(text: string): readonly NamePair[];
  /** Keeps pairs that were read before. */
  keep(pairs: readonly NamePair[]): void;
  /** Folded Latin words of the names that stand in ideographs in `text`. */
  find(text: string): readonly string[];
  readonly size: number;
};

const inLatin = new RegExp(
  String.raw`(?<latin>\p{Lu}[\p{L}\p{N}'&.-]*)(?:\s\p{Lu}[\p{L}\p{N}'&.-]*){0,2}\s?` +
    String.raw`\((?<han>\p{sc=Han}{2,10})\)`,
  'gu',
);
const inHan = new RegExp(
  String.raw`(?<han>\p{sc=Han}{2,16})\s?` +
    String.raw`\((?<latin>\p{Lu}[\p{Script=Latin}\p{N}'&.-]*)[^()]{0,30}\)`,
  'gu',
);
const boundary = /(?:^|[\s,.!?;:，。！？；：、"“”'《》()-])$/u;
const firstIdeograph = 0x2e80;
const longestName = 8;
const mostNames = 20_000;

/** `isWord` tells whether ideographs are an everyday word, and so no name by themselves. */
export function openGlossary(isWord: (han: string) => boolean): Glossary {
  const names = new Map<string, string>();
  const starts = new Set<string>();
  const keep = (han: string, latin: string): void => {
    if (names.has(han) || isWord(han) || names.size >= mostNames) return;
    names.set(han, latin.toLowerCase().replace(/'s$/u, ''));
    starts.add(han.slice(0, 2));
  };
  const add = ([han, latin]: NamePair): void => {
    keep(han, latin);
    // A company's short name is its first two characters: "寰宇科技" goes as "寰宇".
    if (han.length >= 4) keep(han.slice(0, 2), latin);
  };
  return {
    get size() {
      return names.size;
    },
    learn(text) {
      const pairs = pairsIn(text);
      pairs.forEach(add);
      return pairs;
    },
    keep(pairs) {
      pairs.forEach(add);
    },
    find(text) {
      const found = new Set<string>();
      for (let at = 0; at + 2 <= text.length; at += 1) {
        if (text.charCodeAt(at) < firstIdeograph) continue;
        if (!starts.has(text.slice(at, at + 2))) continue;
        for (let length = longestName; length >= 2; length -= 1) {
          const latin = names.get(text.slice(at, at + length));
          if (latin === undefined) continue;
          found.add(latin);
          at += length - 1;
          break;
        }
      }
      return [...found];
    },
  };
}

function pairsIn(text: string): readonly NamePair[] {
  if (!text.includes('(')) return [];
  const pairs: NamePair[] = [];
  for (const { groups } of text.matchAll(inLatin)) {
    pairs.push([groups?.han ?? '', groups?.latin ?? '']);
  }
  for (const { groups, index } of text.matchAll(inHan)) {
    const run = groups?.han ?? '';
    const isWhole = run.length <= longestName && boundary.test(text.slice(0, index));
    const name = isWhole ? run : longestRepeated(run, text);
    if (name !== '') pairs.push([name, groups?.latin ?? '']);
  }
  return pairs;
}

/** Where a name begins in a run is not written; it is what stands elsewhere in the text too. */
function longestRepeated(run: string, text: string): string {
  for (let length = Math.min(longestName, run.length); length >= 2; length -= 1) {
    const tail = run.slice(-length);
    if (text.indexOf(tail) !== text.lastIndexOf(tail)) return tail;
  }
  return '';
}
