// Creates, revokes and finds tokens of push sources. A source has at most one token. It is shown
// once and stored as a hash. It has 256 random bits, so a plain SHA-256 resists brute force.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  deletePushToken,
  findPushToken,
  savePushToken,
} from '../../store/radar/sources/push-tokens.ts';
import { findSource } from '../../store/radar/sources/sources.ts';

/** A recognisable prefix for secret scanners in logs and repositories. */
const TOKEN_PREFIX = 'radar_push_';
const TOKEN_BYTES = 32;
const TOKEN_MAX = 200;

export type PushTokenResult =
  | { readonly kind: 'made'; readonly token: string }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'no_source' }
  | { readonly kind: 'not_push' }
  | { readonly kind: 'no_token' };

/** A new token replaces the previous one, which stops working. */
export async function createPushToken(
  world: World,
  db: Db,
  sourceId: string,
): Promise<PushTokenResult> {
  const refusal = await refusalReason(db, sourceId);
  if (refusal !== null) return refusal;
  const token = TOKEN_PREFIX + Buffer.from(world.random.bytes(TOKEN_BYTES)).toString('base64url');
  await savePushToken(db, sourceId, hashOf(token), world.clock.now());
  return { kind: 'made', token };
}

export async function revokePushToken(db: Db, sourceId: string): Promise<PushTokenResult> {
  const refusal = await refusalReason(db, sourceId);
  if (refusal !== null) return refusal;
  return { kind: (await deletePushToken(db, sourceId)) ? 'revoked' : 'no_token' };
}

async function refusalReason(db: Db, sourceId: string): Promise<PushTokenResult | null> {
  const source = await findSource(db, sourceId);
  if (source === null) return { kind: 'no_source' };
  return source.kind === 'push' ? null : { kind: 'not_push' };
}

/** The source of this token; null when the token is unknown. */
export async function findSourceByToken(db: Db, token: string): Promise<string | null> {
  if (!token.startsWith(TOKEN_PREFIX) || token.length > TOKEN_MAX) return null;
  const hash = hashOf(token);
  const pushToken = await findPushToken(db, hash);
  // The index lookup has variable time, but it uses only the hash. The comparison has constant
  // time.
  return pushToken !== null && timingSafeEqual(pushToken.hash, hash) ? pushToken.sourceId : null;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();
