// Opens the media store over a backend. The media type is detected from the bytes when a file is
// stored and again when it is served.
import { join } from 'node:path';
import { messageOf } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import type { MediaStoreConfig } from '../providers-config.ts';
import { folderBackend } from './folder-backend.ts';
import type { MediaBackend } from './media-backend.ts';
import { isExpired, newToken, storedName } from './media-name.ts';
import type { FoundMedia, MediaStore, MediaType } from './media-store.ts';
import { readMedia } from './read-media.ts';
import { s3Backend } from './s3-backend.ts';

export type MediaStoreOptions = {
  readonly dataDir: string;
  /** The gateway's own address, without a trailing slash; read at every use. */
  readonly siteUrl: () => string;
};

const pieceBytes = 2 ** 20;
const deletionIntervalMs = 3_600_000;

export function openMediaStore(
  world: World,
  config: MediaStoreConfig,
  options: MediaStoreOptions,
): MediaStore {
  const backend: MediaBackend =
    config.kind === 's3' ? s3Backend(world, config) : folderBackend(join(options.dataDir, 'media'));
  let lastDeletionAt = world.clock.now();
  const deleteExpired = async () => {
    let removedCount = 0;
    for await (const name of backend.list()) {
      if (!isExpired(world, name.replace(/\.part$/, ''))) continue;
      await backend.remove(name);
      removedCount += 1;
    }
    return removedCount;
  };
  return {
    deleteExpired,
    store: async (bytes, keptForMs) => {
      const facts = readMedia(bytes);
      if (facts === null) return null;
      if (Math.abs(world.clock.now() - lastDeletionAt) > deletionIntervalMs) {
        lastDeletionAt = world.clock.now();
        // The call does not wait for the deletion. Expired files are never served.
        deleteExpired().catch((error) =>
          world.log.warn({ error: messageOf(error) }, 'expired media were not deleted'),
        );
      }
      const token = newToken(world, keptForMs);
      await backend.put(storedName(world, token) ?? '', bytes, facts.mimeType);
      const { mimeType } = facts;
      return {
        token,
        url: `${options.siteUrl()}/media/${token}`,
        mimeType,
        byteLength: bytes.length,
      };
    },
    find: async (token) => {
      const name = storedName(world, token);
      const file = name === null ? null : await backend.open(name);
      const mimeType = file === null ? null : typeOf(file.head);
      if (name === null || file === null || mimeType === null) return null;
      const { byteLength } = file;
      return {
        mimeType,
        byteLength,
        read: (from = 0, to = byteLength - 1) => piecesOf(backend, name, from, to),
      } satisfies FoundMedia;
    },
  };
}

async function* piecesOf(backend: MediaBackend, name: string, from: number, to: number) {
  for (let position = from; position <= to; position += pieceBytes) {
    yield await backend.read(name, position, Math.min(to, position + pieceBytes - 1));
  }
}

/** Media type from the beginning of a file that was validated completely when it was stored. */
function typeOf(head: Uint8Array): MediaType | null {
  const hasAt = (offset: number, text: string) =>
    Buffer.from(text, 'latin1').every((byte, index) => head[offset + index] === byte);
  if (hasAt(0, '\x89PNG')) return 'image/png';
  if (hasAt(0, '\xff\xd8\xff')) return 'image/jpeg';
  if (hasAt(0, 'RIFF') && hasAt(8, 'WEBP')) return 'image/webp';
  return hasAt(4, 'ftyp') ? 'video/mp4' : null;
}
