// Opens a radar with items of several kinds in both languages, also selected, corrected and
// withdrawn ones, behind a real server. It is filled once per worker; each file gets a copy of the
// result.

import type { Db } from '../../src/kernel/ports/db.ts';
import type { ManualClock } from '../../src/kernel/time/clock.ts';
import type { World } from '../../src/kernel/world.ts';
import type { FilterOptions } from '../../src/radar/api/request-filter/request-filter.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import type { Publication } from '../../src/radar/publication/open-publication.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openRandomHistory } from '../selected-sync/random-history.ts';
import { openTestServer } from './radar-server.ts';
import { makeTemplate, openTestDatabase } from './test-database.ts';
import { openTestPublication } from './test-publication.ts';
import { testWorld } from './test-world.ts';

export type FilledRadar = {
  readonly origin: string;
  readonly world: World;
  readonly clock: ManualClock;
  readonly logged: string[];
  readonly db: Db;
  readonly publication: Publication;
  /** Another server over the same publication. */
  serve(filterOptions: FilterOptions): Promise<string>;
  /** Ids of public items. */
  itemIds(): Promise<readonly string[]>;
};

const SEED = 7;

type FilledDatabase = { readonly template: string; readonly endsAt: number };

let filledDatabase: Promise<FilledDatabase> | null = null;

/** Call at the top of a test file. */
export async function openFilledRadar(): Promise<FilledRadar> {
  filledDatabase ??= fillDatabase();
  const { template, endsAt } = await filledDatabase;
  const { world, clock, logged } = testWorld(SEED, endsAt);
  const { db } = await openTestDatabase(template);
  const publication = await openTestPublication(world, db);
  const itemIds = async () => {
    const rows = await sqlOf(db).selectFrom('public_items').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  };
  return {
    origin: await openTestServer(world, publication),
    world,
    clock,
    logged,
    db,
    publication,
    serve: (filterOptions) => openTestServer(world, publication, filterOptions),
    itemIds,
  };
}

async function fillDatabase(): Promise<FilledDatabase> {
  const { world, clock } = testWorld(SEED);
  const template = await makeTemplate((db) => addContent(world, clock, db));
  return { template, endsAt: clock.now() };
}

async function addContent(world: World, clock: ManualClock, db: Db): Promise<void> {
  const commonFields = { owner: 'A', language: 'en', intervalMinutes: 30 };
  const pushKind = { kind: 'push', participation: 'editorial', settings: {} };
  await addSource(world, db, { id: 'a', name: '观察者', tier: 'T1', ...commonFields, ...pushKind });
  await addSource(world, db, {
    id: 'b',
    name: 'The Ledger',
    tier: 'T2',
    ...commonFields,
    ...pushKind,
  });
  const history = openRandomHistory(world, db, ['a', 'b'], SEED);
  for (let event = 0; event < 100; event += 1) {
    clock.advance(60_000);
    await history.step();
  }
  const rows = await sqlOf(db).selectFrom('public_items').select('id').orderBy('id').execute();
  for (const [index, { id }] of rows.entries()) {
    const title =
      index % 2 === 0 ? `模型 “${index}” 发布 <b>&` : `Model ${index}: ünïcode \u2028 "quoted"`;
    const change = { action: 'correct', fields: { title, summary: null } } as const;
    if (index % 3 === 0) await changeItem(world, db, id, { ...change, actor: 'test', note: null });
  }
}
