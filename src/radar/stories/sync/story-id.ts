// A story's public id is a UUID (RFC 9562, version 7), so later ids sort later and an index grows
// at one end. The engine's own ids are item ids, which have no hyphens.
import type { World } from '../../../kernel/world.ts';

export function newStoryId(world: Pick<World, 'clock' | 'random'>): string {
  const bytes = Buffer.concat([Buffer.alloc(6), world.random.bytes(10)]);
  bytes.writeUIntBE(Math.max(0, world.clock.now()), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isStoryId = (id: string) => shape.test(id);
