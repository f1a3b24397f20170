// Stores media in a folder, for one node or shared by several.
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../kernel/files/make-folder.ts';
import type { MediaBackend } from './media-backend.ts';

const headBytes = 64;

export function folderBackend(folder: string): MediaBackend {
  const pathOf = (name: string) => join(folder, name);
  return {
    put: async (name, bytes) => {
      makeFolder(folder, 0o700);
      // The write is atomic, so a reader never receives half a file.
      const partPath = pathOf(`${name}.part`);
      await writeFile(partPath, bytes, { mode: 0o600 });
      await rename(partPath, pathOf(name));
    },
    open: async (name) => {
      const file = await openOrNull(pathOf(name));
      if (file === null) return null;
      try {
        const { size } = await file.stat();
        const head = new Uint8Array(Math.min(headBytes, size));
        await file.read(head, 0, head.length, 0);
        return { byteLength: size, head };
      } finally {
        await file.close();
      }
    },
    read: async (name, from, to) => {
      const file = await open(pathOf(name));
      try {
        const bytes = new Uint8Array(to - from + 1);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    list: async function* () {
      yield* await readdir(folder).catch(() => []);
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}

async function openOrNull(path: string) {
  try {
    return await open(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
