// Writes an archive to a temporary file beside its path, readable by the owner only. The file is
// renamed when it is complete and synced to disk. With a passphrase it is encrypted.
import type { ReadStream } from 'node:fs';
import { access, constants, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { encryptAge } from '../../kernel/crypto/age-file.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';

export type ArchiveWriter = {
  add(name: string, bytes: Buffer): Promise<void>;
  /** Adds `size` bytes of a file, which is read during the call. */
  addFile(name: string, size: number, file: ReadStream): Promise<void>;
  /** Compressed bytes of the archive so far. */
  bytesWritten(): number;
  /** Completes the archive and renames it to its path. */
  finish(): Promise<void>;
  /** Deletes the incomplete archive. */
  discard(): Promise<void>;
};

export async function openArchiveWriter(
  world: World,
  path: string,
  passphrase: string | null,
): Promise<ArchiveWriter> {
  const draftPath = `${path}.part`;
  await checkArchivePath(path);
  await rm(draftPath, { force: true });
  const tar = pack();
  const writeFault = (cause: unknown) =>
    new Fault('invalid_request', `${path} cannot be written: ${messageOf(cause)}`, { cause });
  const handle = await open(draftPath, 'wx', 0o600).catch((error) => {
    throw writeFault(error);
  });
  const file = handle.createWriteStream({ flush: true });
  const encryptBytes = (bytes: AsyncIterable<Buffer>) =>
    passphrase === null ? bytes : encryptAge(world, bytes, { passphrase });
  const completion = pipeline(tar, createGzip({ level: 6 }), encryptBytes, file).catch((error) => {
    throw writeFault(error);
  });
  completion.catch(() => {});
  const mtime = new Date(world.clock.now());
  /**
   * Resolves when the entry is written. If the file cannot be written, rejects with the disk's
   * error instead of the error of the closed tar stream.
   */
  const writeEntry = async (write: () => Promise<void>): Promise<void> => {
    const entry = new Promise<void>((resolve) => resolve(write()));
    await Promise.race([entry, completion]).catch(async (error) => {
      if (tar.destroyed) await completion;
      throw error;
    });
    await entry;
  };
  return {
    add: (name, bytes) => {
      const header = { name, size: bytes.length, mode: 0o600, mtime };
      return writeEntry(
        () =>
          new Promise<void>((resolve, reject) => {
            tar.entry(header, bytes, (error) => (error ? reject(error) : resolve()));
          }),
      );
    },
    addFile: (name, size, from) =>
      writeEntry(() => pipeline(from, tar.entry({ name, size, mode: 0o600, mtime }))),
    bytesWritten: () => file.bytesWritten,
    finish: async () => {
      tar.finalize();
      await completion;
      await rename(draftPath, path);
      await flushFolder(dirname(path));
    },
    discard: async () => {
      tar.destroy();
      await completion.catch(() => {});
      await rm(draftPath, { force: true });
    },
  };
}

/** Throws a Fault `invalid_request` when a new file at `path` is impossible. */
export async function checkArchivePath(path: string): Promise<void> {
  const existingFile = await stat(path).catch(() => null);
  if (existingFile?.isDirectory() === true) {
    throw new Fault('invalid_request', `${path} is a folder. Name a new file in it.`);
  }
  if (existingFile !== null) {
    throw new Fault('invalid_request', `${path} exists already: a backup overwrites no file.`);
  }
  const folder = dirname(path);
  if ((await stat(folder).catch(() => null))?.isDirectory() !== true) {
    throw new Fault('invalid_request', `${path} cannot be written: there is no folder ${folder}.`);
  }
  await access(folder, constants.W_OK).catch((cause) => {
    throw new Fault(
      'invalid_request',
      `${path} cannot be written: this user has no permission to write to ${folder}.`,
      { cause },
    );
  });
}

/** Syncs the folder, so that the file's new name survives a power failure. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().catch(() => {});
  await handle.close();
}
