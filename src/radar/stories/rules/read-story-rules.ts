// Reads and validates editorial/stories. Errors name the file and the problem.
import type { z } from 'zod';
import { findLayered, parseLayered } from '../../../kernel/files/layered-folder.ts';
import { openStoryRules, type StoryRules } from './open-rules.ts';
import { type StoryFiles, storyFiles } from './rule-files.ts';

/** `folder` is the editorial folder's path. Throws an error in plain words naming the file. */
export async function readStoryRules(folder: string): Promise<StoryRules> {
  return openStoryRules(await readStoryFiles(folder));
}

export async function readStoryFiles(folder: string): Promise<StoryFiles> {
  const readPart = async <Name extends keyof StoryFiles>(name: Name): Promise<StoryFiles[Name]> => {
    const schema: z.ZodType = storyFiles[name];
    return parseLayered(
      await findLayered(folder, `stories/${name}.json`),
      schema,
    ) as StoryFiles[Name];
  };
  const [background, traditional, aliases, lexicon, glosses, rules] = await Promise.all([
    readPart('background'),
    readPart('traditional'),
    readPart('aliases'),
    readPart('lexicon'),
    readPart('glosses'),
    readPart('rules'),
  ]);
  return { background, traditional, aliases, lexicon, glosses, rules };
}
