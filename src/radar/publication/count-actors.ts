// Counts pseudonymous clients (actors) per day. Only a hash of an actor's UUID is stored. The hash
// key changes every day, so an actor cannot be recognized on another day.
import { createHmac } from 'node:crypto';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';
import { saveActorHashes } from '../../store/radar/publication/actor-days.ts';

export type ActorCount = {
  /** Records an actor's UUID. A UUID that was recorded today costs only a lookup. */
  countActor(actor: string): void;
  /** Writes the actors since the last write and stops. A failure loses only these actors. */
  close(): Promise<void>;
};

const FLUSH_MS = 60_000;
/** Limit per day and process. Further actors are not counted, because this is only a statistic. */
const ACTORS_MAX = 100_000;
const BATCH_SIZE = 5_000;

/** Source: feed contract, "Requests", ActorUserAgent. */
export async function openActorCount(world: World, db: Db): Promise<ActorCount> {
  const secret = await readSharedSecret(world, db, 'actors');
  let today = openDay(secret, world.clock.now());
  /** Actors that are counted but not yet written. */
  let pendingActors: { readonly day: string; readonly hash: string }[] = [];
  const stop = new AbortController();
  const flush = async () => {
    const batch = pendingActors;
    pendingActors = [];
    try {
      await writeActors(db, batch);
    } catch (error) {
      pendingActors = [...batch, ...pendingActors].slice(0, ACTORS_MAX);
      world.log.debug(
        { error: messageOf(error) },
        'actors were not counted; the next write tries again',
      );
    }
  };
  const lastFlush = everyMinute(world, stop.signal, flush);
  return {
    countActor: (actor) => {
      const now = world.clock.now();
      if (!today.includes(now)) today = openDay(secret, now);
      if (today.actors.has(actor) || today.actors.size >= ACTORS_MAX) return;
      today.actors.add(actor);
      pendingActors.push({ day: today.day, hash: today.hashOf(actor) });
    },
    close: async () => {
      stop.abort();
      await lastFlush;
      await flush();
    },
  };
}

function openDay(secret: Uint8Array, now: number) {
  const { day, startsAt, endsAt } = shanghaiDay(now);
  const key = createHmac('sha256', secret).update(day).digest();
  return {
    day,
    includes: (at: number) => at >= startsAt && at < endsAt,
    actors: new Set<string>(),
    hashOf: (actor: string) =>
      createHmac('sha256', key).update(actor).digest().subarray(0, 16).toString('base64url'),
  };
}

async function everyMinute(world: World, signal: AbortSignal, work: () => Promise<void>) {
  while (!signal.aborted) {
    await world.clock.sleep(FLUSH_MS, signal).catch(() => {});
    if (!signal.aborted) await work();
  }
}

async function writeActors(
  db: Db,
  recordedActors: readonly { day: string; hash: string }[],
): Promise<void> {
  for (const [day, actors] of Map.groupBy(recordedActors, ({ day }) => day)) {
    const hashes = actors.map((actor) => actor.hash);
    for (let index = 0; index < hashes.length; index += BATCH_SIZE) {
      await saveActorHashes(db, day, hashes.slice(index, index + BATCH_SIZE));
    }
  }
}
