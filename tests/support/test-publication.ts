// Opens a publication with a test's database, like one node. It is closed after the file.

import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { openPublication, type Publication } from '../../src/radar/publication/open-publication.ts';
import { atEnd } from './at-end.ts';

export async function openTestPublication(world: World, db: Db): Promise<Publication> {
  const publication = await openPublication(world, db, {
    id: world.ids.next(),
    host: 'test',
    pid: process.pid,
    parts: ['radar'],
    started_at: world.clock.now(),
    clock_offset_ms: 0,
  });
  atEnd(() => publication.close());
  return publication;
}
