// Measures the lag of the replica of `DATABASE_READ_URL`. Each position of the primary's log has
// the time at which this process read it. The lag is the age of the oldest position that the
// replica has not replayed. No clock of a server is needed.
import { sql } from 'kysely';
import type pg from 'pg';
import { openPoller } from '../../kernel/concurrency/poller.ts';
import { requirePresent } from '../../kernel/errors/assert.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { replicaOf, sqlOf } from './db.ts';

const INTERVAL_MS = 5_000;
/**
 * Maximum number of positions in memory. After five days without replay, they are two minutes
 * apart.
 */
const MAX_POSITIONS = 4_000;

type LogPosition = { readonly lsn: string; readonly at: number };

export type ReplicaWatch = { close(): Promise<void> };

/**
 * Resolves after the first measurement. An unreachable or unsuitable replica is not used until a
 * later measurement finds it usable. Each change is logged.
 */
export async function watchReplica(world: World, db: Db): Promise<ReplicaWatch> {
  const measure = openReplicaMeter(world, db);
  await measure();
  const poller = openPoller(world, {
    taskName: 'read replica',
    intervalMs: INTERVAL_MS,
    poll: measure,
    nextDueAt: async () => world.clock.now() + INTERVAL_MS,
  });
  return { close: () => poller.close() };
}

/** Milliseconds; 0 without a replica and while the primary serves its reads. */
export function replicaLagMs(db: Db): number {
  return replicaOf(db)?.status.lagMs ?? 0;
}

function openReplicaMeter({ clock, log }: World, db: Db): () => Promise<void> {
  const { pool, status } = requirePresent(replicaOf(db), 'a replica');
  let positions: readonly LogPosition[] = [];
  let lastProblem: string | null = 'not measured';
  const report = (problem: string | null) => {
    if (problem === lastProblem) return;
    if (problem === null) log.info({}, 'the read replica is in use');
    else log.warn({ problem }, 'the read replica is not in use; the primary serves its reads');
    lastProblem = problem;
  };
  return async () => {
    const at = clock.now();
    const primary = await readPrimary(db);
    const candidates = [...positions, { lsn: primary.lsn, at }];
    try {
      const state = await readStandby(pool, candidates);
      const problem = explainUnsuitable(primary, state);
      positions = problem === null ? thinPositions(candidates.slice(state.replayed)) : [];
      status.lagMs = problem === null ? at - (positions[0]?.at ?? at) : null;
      report(problem);
    } catch (error) {
      // Positions are also recorded while the replica is unreachable, because they measure its lag
      // when it is reachable again.
      positions = thinPositions(candidates);
      status.lagMs = null;
      report(messageOf(error));
    }
  };
}

type ServerIdentity = { readonly identity: string; readonly startedAt: string };

async function readPrimary(db: Db): Promise<ServerIdentity & { readonly lsn: string }> {
  const { rows } = await sql<ServerIdentity & { readonly lsn: string }>`
    SELECT concat_ws(' ', system_identifier, current_database()) AS identity,
      pg_postmaster_start_time()::text AS "startedAt", pg_current_wal_lsn()::text AS lsn
    FROM pg_control_system()`.execute(sqlOf(db));
  const [row] = rows;
  return requirePresent(row, 'a row of pg_control_system()');
}

type StandbyState = ServerIdentity & {
  readonly isStandby: boolean;
  /** The number of positions that the replica has replayed. Positions are in ascending order. */
  readonly replayed: number;
};

async function readStandby(
  pool: pg.Pool,
  positions: readonly LogPosition[],
): Promise<StandbyState> {
  const { rows } = await pool.query<StandbyState>(
    `SELECT concat_ws(' ', system_identifier, current_database()) AS identity,
       pg_postmaster_start_time()::text AS "startedAt", pg_is_in_recovery() AS "isStandby",
       (SELECT count(*)::integer FROM unnest($1::pg_lsn[]) AS position
        WHERE NOT pg_is_in_recovery() OR position <= pg_last_wal_replay_lsn()) AS replayed
     FROM pg_control_system()`,
    [positions.map(({ lsn }) => lsn)],
  );
  const [row] = rows;
  return requirePresent(row, 'a row of pg_control_system()');
}

/** Null: the server can serve reads. A promoted standby cannot: its data differ from now on. */
function explainUnsuitable(primary: ServerIdentity, standby: StandbyState): string | null {
  if (primary.identity !== standby.identity) {
    return 'DATABASE_READ_URL and DATABASE_URL are different databases';
  }
  if (standby.isStandby || standby.startedAt === primary.startedAt) return null;
  return 'DATABASE_READ_URL is a server that is no longer a standby';
}

/** Drops every second position of the older half, but never the oldest. */
function thinPositions(positions: readonly LogPosition[]): readonly LogPosition[] {
  if (positions.length <= MAX_POSITIONS) return positions;
  const half = positions.length / 2;
  return positions.filter((_position, index) => index > half || index % 2 === 0);
}
