// Reads a settings folder that may extend another folder. `base.json` names the base, and a file
// that is missing in the folder is read from the base.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { Fault } from '../errors/fault.ts';

/** Layers are limited, because two folders could name each other as their base. */
const LAYERS_MAX = 4;
const MAX_REPORTED_PROBLEMS = 5;

/** The text of `name` in `folder` or in its base. A fault lists the searched folders. */
export async function readLayered(folder: string, name: string): Promise<string> {
  return (await findLayered(folder, name)).text;
}

/** `path` appears in messages, because operators correct that file. */
type LayeredFile = { readonly path: string; readonly text: string };

/** Like `readLayered`, but also returns the path. */
export async function findLayered(folder: string, name: string): Promise<LayeredFile> {
  const searched: string[] = [];
  let folderPath: string | null = folder;
  for (let layer = 0; folderPath !== null && layer < LAYERS_MAX; layer += 1) {
    const path = join(folderPath, name);
    const text = await readOrNull(path);
    if (text !== null) return { path, text };
    searched.push(path);
    folderPath = await readBaseFolder(folderPath);
  }
  const [first, ...otherPaths] = searched;
  const otherNames =
    otherPaths.length === 0 ? '' : ` Its base has no such file either: ${otherPaths.join(', ')}.`;
  throw new Fault('invalid_request', `${first} cannot be read.${otherNames}`);
}

/**
 * The JSON files of a subfolder, by name. A file of the extending folder replaces the base file of
 * the same name.
 */
export async function listLayered(
  folder: string,
  subfolder: string,
): Promise<readonly LayeredFile[]> {
  const paths = new Map<string, string>();
  let folderPath: string | null = folder;
  for (let layer = 0; folderPath !== null && layer < LAYERS_MAX; layer += 1) {
    const subfolderPath = join(folderPath, subfolder);
    for (const name of await listNames(subfolderPath)) {
      const [, stem] = /^(.+)\.json$/.exec(name) ?? [];
      if (stem !== undefined && !paths.has(stem)) paths.set(stem, join(subfolderPath, name));
    }
    folderPath = await readBaseFolder(folderPath);
  }
  const sorted = [...paths].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(
    sorted.map(async ([, path]) => ({ path, text: (await readOrNull(path)) ?? '' })),
  );
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Fault('invalid_request', `${folder} cannot be read.`, { cause });
  }
}

/** Parses and checks a file's text. A Fault names the file and its first five problems. */
export function parseLayered<Schema extends z.ZodType>(
  { path, text }: LayeredFile,
  schema: Schema,
): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Fault('invalid_request', `${path}: not JSON`, { cause });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, MAX_REPORTED_PROBLEMS).map((issue) => {
    const field = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    return `${field}${issue.message}`;
  });
  throw new Fault('invalid_request', `${path}: ${problems.join('; ')}`);
}

async function readBaseFolder(folder: string): Promise<string | null> {
  const path = join(folder, 'base.json');
  const text = await readOrNull(path);
  if (text === null) return null;
  try {
    const { folder: base } = JSON.parse(text) as { readonly folder?: unknown };
    if (typeof base === 'string' && base !== '') return resolve(folder, base);
  } catch {
    // Reported below, with the expected value.
  }
  throw new Fault('invalid_request', `${path}: must be { "folder": "path of another folder" }`);
}

/** Null when the file does not exist. A file that cannot be read is a failure. */
async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Fault('invalid_request', `${path} cannot be read.`, { cause });
  }
}
