// Finds phrases in a text, the longest first and without overlap. A phrase is a list of atoms:
// stems of alphabetic words, or single ideographs. It has one meaning, which is a name or a term.

type Node = { readonly next: Map<string, Node>; meaning: string | null };

/** Atoms from `from` up to `to`, exclusive. */
export type PhraseMatch = { readonly meaning: string; readonly from: number; readonly to: number };

const emptyNode = (): Node => ({ next: new Map(), meaning: null });

/**
 * `rows`: [meaning, phrase as atoms]. A phrase given twice keeps its first meaning. The returned
 * function finds meanings in a result of `atomsOf`, in order, with repetitions.
 */
export function openPhrases(rows: Iterable<readonly [string, readonly string[]]>) {
  const root = emptyNode();
  for (const [meaning, atoms] of rows) {
    let node = root;
    for (const atom of atoms) {
      const next = node.next.get(atom) ?? emptyNode();
      node.next.set(atom, next);
      node = next;
    }
    if (node !== root) node.meaning ??= meaning;
  }
  return (sequence: readonly string[]) => findAll(root, sequence);
}

function findAll(root: Node, sequence: readonly string[]): readonly PhraseMatch[] {
  const matches: PhraseMatch[] = [];
  for (let index = 0; index < sequence.length; ) {
    let node: Node | undefined = root;
    let meaning: string | null = null;
    let length = 0;
    for (let to = index; to < sequence.length && node !== undefined; to += 1) {
      node = node.next.get(sequence[to] ?? '');
      if (node?.meaning != null) {
        meaning = node.meaning;
        length = to - index + 1;
      }
    }
    if (meaning !== null) matches.push({ meaning, from: index, to: index + length });
    index += Math.max(1, length);
  }
  return matches;
}

/** The atoms of folded text: stems and figures whole, ideographs one by one. */
export function atomsOf(units: readonly { readonly kind: string; readonly text: string }[]) {
  return units.flatMap((unit) => (unit.kind === 'han' ? [...unit.text] : [unit.text]));
}
