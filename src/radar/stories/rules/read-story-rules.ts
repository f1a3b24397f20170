// Reads and validates editorial/stories. Errors name the file and the problem.
import type { z } from 'zod';
import { findLayered, parseLayered } from '../../../kernel/files/layered-folder.ts';
import { openStoryRules, type StoryRules } from './open-rules.ts';
import { type StoryFiles, storyFiles } from './rule-files.ts';

/** `folder` is the editorial folder's path. Throws an error that names the file and the problem. */
export async function readStoryRules(folder: string): Promise<StoryRules> {
  return openStoryRules(await readStoryFiles(folder));
}

export async function readStoryFiles(folder: string): Promise<StoryFiles> {
  const schemas: Readonly<Record<string, z.ZodType>> = storyFiles;
  const files = Object.entries(schemas).map(async ([name, schema]) => {
    const file = await findLayered(folder, `stories/${name}.json`);
    return [name, parseLayered(file, schema)] as const;
  });
  return Object.fromEntries(await Promise.all(files)) as StoryFiles;
}
