// Opens a radar with stories that a test writes, behind a real server. It has a manual clock, its
// own database, a first-party source, two newspapers and a forum.
import { type Contract, readContract } from '../contract/read-document.ts';
import { openStoryPublisher, type StoryPublisher } from './published-stories.ts';
import { openTestServer } from './radar-server.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';
import { openTestPublication } from './test-publication.ts';
import { type TestWorld, testWorld } from './test-world.ts';

export type StoryRadar = TestWorld &
  TestDatabase & {
    readonly origin: string;
    readonly contract: Contract;
    readonly publication: Awaited<ReturnType<typeof openTestPublication>>;
    readonly publisher: StoryPublisher;
    /** Waits until the server shows all committed changes. */
    settle(): Promise<void>;
  };

/** Call at the top of a test file. */
export async function openStoryRadar(seed = 1): Promise<StoryRadar> {
  const test = testWorld(seed);
  const database = await openTestDatabase();
  const { world } = test;
  const publisher = openStoryPublisher(world, database.db);
  await publisher.addSource({ id: 'orrery', name: 'Orrery Labs', tier: 'T1' });
  await publisher.addSource({ id: 'ledger', name: 'The Ledger', tier: 'T1_5' });
  await publisher.addSource({ id: 'wire', name: 'The Wire', tier: 'T2' });
  await publisher.addSource({ id: 'forum', name: 'The Forum', participation: 'signal' });
  const publication = await openTestPublication(world, database.db);
  const origin = await openTestServer(world, publication);
  const contract = await readContract(origin);
  return {
    ...test,
    ...database,
    origin,
    contract,
    publication,
    publisher,
    settle: publication.catchUp,
  };
}
