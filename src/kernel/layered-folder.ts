// A folder of settings that may rest on another: what it does not hold is read from the one that
// its `base.json` names, so that a folder need only hold what is its own.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from './fault.ts';

/** More than one would need, and an end to two folders that rest on each other. */
const LAYERS_MAX = 4;

/** The text of `name` in `folder`, or in what it rests on. A fault says where it was looked for. */
export async function readLayered(folder: string, name: string): Promise<string> {
  return (await findLayered(folder, name)).text;
}

/** The same with its path, for messages: operators mend that file and no other. */
export async function findLayered(
  folder: string,
  name: string,
): Promise<{ readonly path: string; readonly text: string }> {
  const looked: string[] = [];
  let at: string | null = folder;
  for (let layer = 0; at !== null && layer < LAYERS_MAX; layer += 1) {
    const path = join(at, name);
    const text = await readOrNull(path);
    if (text !== null) return { path, text };
    looked.push(path);
    at = await baseOf(at);
  }
  const [first, ...others] = looked;
  const also = others.length === 0 ? '' : ` Nor can ${others.join(', ')}.`;
  throw new Fault('invalid_request', `${first} cannot be read.${also}`);
}

async function baseOf(folder: string): Promise<string | null> {
  const path = join(folder, 'base.json');
  const text = await readOrNull(path);
  if (text === null) return null;
  try {
    const { folder: base } = JSON.parse(text) as { readonly folder?: unknown };
    if (typeof base === 'string' && base !== '') return resolve(folder, base);
  } catch {
    // Said below, with what it should be.
  }
  throw new Fault('invalid_request', `${path}: must be { "folder": "path of another folder" }`);
}

/** Null when there is none; what is there and cannot be read is an error of its own. */
async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Fault('invalid_request', `${path} cannot be read.`, { cause });
  }
}
