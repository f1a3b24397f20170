// Reads the free share of the disk that holds a folder.
import { statfs } from 'node:fs/promises';

/** The free share of the disk, 0 to 1; null: the folder cannot be read. */
export async function readFreeShare(folder: string): Promise<number | null> {
  try {
    const { bavail, blocks } = await statfs(folder);
    return blocks === 0 ? null : bavail / blocks;
  } catch {
    return null;
  }
}
