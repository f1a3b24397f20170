// The command line of `npm run bench -- --against <commit>`.
export const againstParts = ['cached', 'uncached', 'charge', 'call'] as const;
export type AgainstPart = (typeof againstParts)[number];

export type AgainstOptions = {
  readonly commit: string;
  readonly parts: readonly AgainstPart[];
  readonly rounds: number;
};

const ROUNDS = 5;

export const againstHelp = `Compares this working tree with a commit, in about nine minutes:
  npm run bench -- --against <commit> [cached] [uncached] [charge] [call] [--rounds <n>]

Both versions run on the same data, alternately in ${ROUNDS} rounds. The server has the first core
and the load the second. A row is the ratio of this tree to the commit: the median of the rounds,
with the lowest and the highest. "better" and "worse" need a median beyond 5 % and the same
direction in each round.

  cached     pages from the cache: gzip, br, 304; memory
  uncached   pages and searches that never repeat, at 100,000 items; start and memory
  charge     authorization and capture: one caller, and 64 callers of one wallet
  call       a capability call over HTTP with a test key

Without a name, all parts run. Changes that are not committed belong to this tree. The commit is
extracted into a temporary folder, with the packages of this tree when package-lock.json is equal
and with an installation of its own otherwise. wrk, taskset and git are necessary.`;

/** Every fault of the arguments, or the options. */
export function readAgainstOptions(
  args: readonly string[],
): { readonly faults: readonly string[] } | AgainstOptions {
  const faults: string[] = [];
  const parts: AgainstPart[] = [];
  let [commit, rounds] = ['', ROUNDS];
  const rest = [...args];
  const nextValue = () => (rest[0]?.startsWith('-') ? undefined : rest.shift());
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const part = againstParts.find((name) => name === word);
    if (word === '--against') commit = nextValue() ?? '';
    else if (word.startsWith('--against=')) commit = word.slice('--against='.length);
    else if (word === '--rounds') rounds = Number(nextValue());
    else if (word.startsWith('--rounds=')) rounds = Number(word.slice('--rounds='.length));
    else if (part !== undefined) parts.push(part);
    else faults.push(`unknown: ${word}; the parts are ${againstParts.join(', ')}`);
  }
  if (commit === '') faults.push('--against needs a commit');
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) {
    faults.push('--rounds needs a whole number from 1 to 100');
  }
  if (faults.length > 0) return { faults };
  return { commit, rounds, parts: parts.length === 0 ? againstParts : parts };
}
