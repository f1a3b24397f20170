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

Without the name of a part, all parts run. Changes that are not committed belong to this tree. The
commit is extracted into a temporary folder, with the packages of this tree when package-lock.json
is equal and with a new installation otherwise. wrk, taskset and git are necessary.`;

/** The options, or every fault of the arguments. */
export function readAgainstOptions(
  args: readonly string[],
): { readonly faults: readonly string[] } | AgainstOptions {
  const faults: string[] = [];
  const parts: AgainstPart[] = [];
  let [commit, rounds] = ['', ROUNDS];
  const remainingArgs = [...args];
  const nextValue = () => (remainingArgs[0]?.startsWith('-') ? undefined : remainingArgs.shift());
  for (
    let argument = remainingArgs.shift();
    argument !== undefined;
    argument = remainingArgs.shift()
  ) {
    const part = againstParts.find((name) => name === argument);
    if (argument === '--against') commit = nextValue() ?? '';
    else if (argument.startsWith('--against=')) commit = argument.slice('--against='.length);
    else if (argument === '--rounds') rounds = Number(nextValue());
    else if (argument.startsWith('--rounds=')) rounds = Number(argument.slice('--rounds='.length));
    else if (part !== undefined) parts.push(part);
    else faults.push(`unknown: ${argument}; the parts are ${againstParts.join(', ')}`);
  }
  if (commit === '') faults.push('--against needs a commit');
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) {
    faults.push('--rounds needs a whole number from 1 to 100');
  }
  if (faults.length > 0) return { faults };
  return { commit, rounds, parts: parts.length === 0 ? againstParts : parts };
}
