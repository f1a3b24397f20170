// Duplicate idempotency keys within one batch. The first request runs. The others receive
// `in_progress` when it was authorized; after a refusal the next of them runs in a later batch.
import type { AuthorizeRequest, AuthorizeResult } from './wallet.ts';

type AuthorizeOne = (opening: AuthorizeRequest) => Promise<AuthorizeResult>;
type AuthorizeAll = (
  leaders: readonly AuthorizeRequest[],
) => Promise<readonly (AuthorizeResult | Promise<AuthorizeResult>)[]>;

export async function coalesceDuplicates(
  openings: readonly AuthorizeRequest[],
  openLater: AuthorizeOne,
  openAll: AuthorizeAll,
): Promise<readonly (AuthorizeResult | Promise<AuthorizeResult>)[]> {
  if (!hasDuplicates(openings)) return openAll(openings);
  const indexByKey = new Map<string, number>();
  const leaders: AuthorizeRequest[] = [];
  const leaderOf = openings.map((opening) => {
    const name = keyOf(opening);
    const leaderIndex = name === null ? undefined : indexByKey.get(name);
    if (leaderIndex !== undefined) return { place: leaderIndex, isTwin: true };
    if (name !== null) indexByKey.set(name, leaders.length);
    return { place: leaders.push(opening) - 1, isTwin: false };
  });
  const results = await openAll(leaders);
  return openings.map((opening, n) => {
    const { place = 0, isTwin } = leaderOf[n] ?? {};
    const [result, leader] = [
      results[place] as AuthorizeResult | Promise<AuthorizeResult>,
      leaders[place],
    ];
    return isTwin && leader ? resultOfDuplicate(opening, leader, result, openLater) : result;
  });
}

function hasDuplicates(openings: readonly AuthorizeRequest[]): boolean {
  if (openings.length === 1) return false;
  const names = new Set<string>();
  for (const opening of openings) {
    const name = keyOf(opening);
    if (name === null) continue;
    if (names.has(name)) return true;
    names.add(name);
  }
  return false;
}

const keyOf = ({ accountId, livemode, idempotency }: AuthorizeRequest): string | null =>
  idempotency && `${livemode} ${accountId} ${idempotency.key}`;

async function resultOfDuplicate(
  opening: AuthorizeRequest,
  leader: AuthorizeRequest,
  outcome: AuthorizeResult | Promise<AuthorizeResult>,
  openLater: AuthorizeOne,
): Promise<AuthorizeResult> {
  const result = await Promise.resolve(outcome).catch(() => null);
  const isSame = opening.idempotency?.fingerprint === leader.idempotency?.fingerprint;
  switch (result?.kind) {
    case 'opened':
      return { kind: isSame ? 'in_progress' : 'reused', requestId: leader.requestId };
    case 'in_progress':
    case 'duplicate':
    case 'reused':
      return isSame ? result : openLater(opening);
    default:
      return openLater(opening);
  }
}
