// The token that opens a push source: shown once when it is made, kept as a hash, one a source. It
// is chance of 256 bits, so a plain SHA-256 of it cannot be searched.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  deletePushToken,
  findPushToken,
  savePushToken,
} from '../../store/radar/sources/push-tokens.ts';
import { findSource } from '../../store/radar/sources/sources.ts';

/** By which a token is recognised where it should not be: in a log, in a repository. */
const PREFIX = 'radar_push_';
const BYTES = 32;
const LONGEST = 200;

export type PushToken =
  | { readonly kind: 'made'; readonly token: string }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'no_source' }
  | { readonly kind: 'not_push' }
  | { readonly kind: 'no_token' };

/** Whatever token the source had opens nothing from now on. */
export async function makePushToken(world: World, db: Db, sourceId: string): Promise<PushToken> {
  const refusal = await refusalOf(db, sourceId);
  if (refusal !== null) return refusal;
  const token = PREFIX + Buffer.from(world.random.bytes(BYTES)).toString('base64url');
  await savePushToken(db, sourceId, hashOf(token), world.clock.now());
  return { kind: 'made', token };
}

export async function revokePushToken(db: Db, sourceId: string): Promise<PushToken> {
  const refusal = await refusalOf(db, sourceId);
  if (refusal !== null) return refusal;
  return { kind: (await deletePushToken(db, sourceId)) ? 'revoked' : 'no_token' };
}

async function refusalOf(db: Db, sourceId: string): Promise<PushToken | null> {
  const source = await findSource(db, sourceId);
  if (source === null) return { kind: 'no_source' };
  return source.kind === 'push' ? null : { kind: 'not_push' };
}

/** The source that this token opens; null when it opens none. */
export async function sourceOfToken(db: Db, token: string): Promise<string | null> {
  if (!token.startsWith(PREFIX) || token.length > LONGEST) return null;
  const hash = hashOf(token);
  const found = await findPushToken(db, hash);
  // What an index finds it finds in uneven time, but only of the hash; the rest is even.
  return found !== null && timingSafeEqual(found.hash, hash) ? found.sourceId : null;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();
