// The same idempotency key twice in one batch: the first goes, the others learn from it. When it
// was opened they hear that it runs; when it was refused, the next one of them has its turn.
import type { Opened, Opening } from './wallet.ts';

type OpenOne = (opening: Opening) => Promise<Opened>;
type OpenAll = (leaders: readonly Opening[]) => Promise<readonly (Opened | Promise<Opened>)[]>;

export async function followTwins(
  openings: readonly Opening[],
  openLater: OpenOne,
  openAll: OpenAll,
): Promise<readonly (Opened | Promise<Opened>)[]> {
  if (!hasTwins(openings)) return openAll(openings);
  const places = new Map<string, number>();
  const leaders: Opening[] = [];
  const leaderOf = openings.map((opening) => {
    const name = nameOf(opening);
    const known = name === null ? undefined : places.get(name);
    if (known !== undefined) return { place: known, isTwin: true };
    if (name !== null) places.set(name, leaders.length);
    return { place: leaders.push(opening) - 1, isTwin: false };
  });
  const answers = await openAll(leaders);
  return openings.map((opening, n) => {
    const { place = 0, isTwin } = leaderOf[n] ?? {};
    const [answer, leader] = [answers[place] as Opened | Promise<Opened>, leaders[place]];
    return isTwin && leader ? follow(opening, leader, answer, openLater) : answer;
  });
}

function hasTwins(openings: readonly Opening[]): boolean {
  if (openings.length === 1) return false;
  const names = new Set<string>();
  for (const opening of openings) {
    const name = nameOf(opening);
    if (name === null) continue;
    if (names.has(name)) return true;
    names.add(name);
  }
  return false;
}

const nameOf = ({ accountId, livemode, idempotency }: Opening): string | null =>
  idempotency && `${livemode} ${accountId} ${idempotency.key}`;

async function follow(
  opening: Opening,
  leader: Opening,
  answer: Opened | Promise<Opened>,
  openLater: OpenOne,
): Promise<Opened> {
  const heard = await Promise.resolve(answer).catch(() => null);
  const isSame = opening.idempotency?.fingerprint === leader.idempotency?.fingerprint;
  switch (heard?.kind) {
    case 'opened':
      return { kind: isSame ? 'in_progress' : 'reused', requestId: leader.requestId };
    case 'in_progress':
    case 'duplicate':
    case 'reused':
      return isSame ? heard : openLater(opening);
    default:
      return openLater(opening);
  }
}
