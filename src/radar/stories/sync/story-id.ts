// A story's public name: a UUID (RFC 9562, version 7), so later ones sort later and an index grows
// at one end. The engine's own ids are item ids, which have no hyphens.
import type { World } from '../../../kernel/world.ts';

export function newStoryId(world: Pick<World, 'clock' | 'random'>): string {
  const bytes = world.random.bytes(10);
  const time = Math.max(0, world.clock.now()).toString(16).padStart(12, '0');
  const chance = Buffer.from(bytes).toString('hex');
  const variant = ((Number.parseInt(chance.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${chance.slice(0, 3)}`,
    `${variant}${chance.slice(4, 7)}`,
    chance.slice(7, 19),
  ].join('-');
}

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isStoryId = (name: string) => shape.test(name);
