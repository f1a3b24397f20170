// Coalesces duplicate idempotency keys within one batch. Only the first request of a key, the
// leader, runs. When the leader is authorized, the duplicates receive `in_progress`, or `reused` if
// their content differs. When the leader is refused, they run in a later batch.
import type { AuthorizeRequest, AuthorizeResult } from './wallet.ts';

type AuthorizeOne = (authorizeRequest: AuthorizeRequest) => Promise<AuthorizeResult>;
type AuthorizeAll = (
  leaders: readonly AuthorizeRequest[],
) => Promise<readonly (AuthorizeResult | Promise<AuthorizeResult>)[]>;

export async function coalesceDuplicates(
  authorizeRequests: readonly AuthorizeRequest[],
  authorizeLater: AuthorizeOne,
  authorizeAll: AuthorizeAll,
): Promise<readonly (AuthorizeResult | Promise<AuthorizeResult>)[]> {
  if (!hasDuplicates(authorizeRequests)) return authorizeAll(authorizeRequests);
  const leaderIndexByKey = new Map<string, number>();
  const leaders: AuthorizeRequest[] = [];
  const assignments = authorizeRequests.map((authorizeRequest) => {
    const key = keyOf(authorizeRequest);
    const leaderIndex = key === null ? undefined : leaderIndexByKey.get(key);
    if (leaderIndex !== undefined) return { leaderIndex, isDuplicate: true };
    if (key !== null) leaderIndexByKey.set(key, leaders.length);
    return { leaderIndex: leaders.push(authorizeRequest) - 1, isDuplicate: false };
  });
  const results = await authorizeAll(leaders);
  return authorizeRequests.map((authorizeRequest, index) => {
    const { leaderIndex = 0, isDuplicate } = assignments[index] ?? {};
    const [result, leader] = [
      results[leaderIndex] as AuthorizeResult | Promise<AuthorizeResult>,
      leaders[leaderIndex],
    ];
    return isDuplicate && leader
      ? resultOfDuplicate(authorizeRequest, leader, result, authorizeLater)
      : result;
  });
}

function hasDuplicates(authorizeRequests: readonly AuthorizeRequest[]): boolean {
  if (authorizeRequests.length === 1) return false;
  const keys = new Set<string>();
  for (const authorizeRequest of authorizeRequests) {
    const key = keyOf(authorizeRequest);
    if (key === null) continue;
    if (keys.has(key)) return true;
    keys.add(key);
  }
  return false;
}

const keyOf = ({ accountId, livemode, idempotency }: AuthorizeRequest): string | null =>
  idempotency && `${livemode} ${accountId} ${idempotency.key}`;

async function resultOfDuplicate(
  authorizeRequest: AuthorizeRequest,
  leader: AuthorizeRequest,
  outcome: AuthorizeResult | Promise<AuthorizeResult>,
  authorizeLater: AuthorizeOne,
): Promise<AuthorizeResult> {
  const result = await Promise.resolve(outcome).catch(() => null);
  const isSame = authorizeRequest.idempotency?.fingerprint === leader.idempotency?.fingerprint;
  switch (result?.kind) {
    case 'authorized':
      return { kind: isSame ? 'in_progress' : 'reused', requestId: leader.requestId };
    case 'in_progress':
    case 'duplicate':
    case 'reused':
      return isSame ? result : authorizeLater(authorizeRequest);
    default:
      return authorizeLater(authorizeRequest);
  }
}
