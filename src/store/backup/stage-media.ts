// Restores media: files are written beside the media folder and moved into it just before the
// commit. The next restore removes the files of a killed restore. A file that was moved before a
// failed commit has no row in the database; it is deleted when it expires.
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../kernel/files/make-folder.ts';

export type MediaStage = {
  put(name: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Moves the files into their folder; `close` deletes them there unless `confirm` was called. */
  moveFiles(): Promise<void>;
  confirm(): void;
  close(): Promise<void>;
};

/** `folder` null: media are not stored in a folder, and their entries are skipped. */
export async function openMediaStage(folder: string | null): Promise<MediaStage> {
  const stage = `${folder}.restoring`;
  const movedFiles: string[] = [];
  let isConfirmed = false;
  if (folder !== null) await rm(stage, { recursive: true, force: true });
  return {
    put: async (name, bytes) => {
      if (folder === null) {
        for await (const _chunk of bytes);
        return;
      }
      makeFolder(stage, 0o700);
      const file = createWriteStream(join(stage, name), { mode: 0o600, flags: 'wx', flush: true });
      await pipeline(bytes, file);
    },
    moveFiles: async () => {
      const names = folder === null ? [] : await readdir(stage).catch(() => []);
      if (folder === null || names.length === 0) return;
      makeFolder(folder, 0o700);
      for (const name of names) {
        await rename(join(stage, name), join(folder, name));
        movedFiles.push(join(folder, name));
      }
    },
    confirm: () => {
      isConfirmed = true;
    },
    close: async () => {
      if (folder === null) return;
      await rm(stage, { recursive: true, force: true });
      if (!isConfirmed) await Promise.all(movedFiles.map((path) => rm(path, { force: true })));
    },
  };
}
