// Reads editorial/stories and checks it; what is wrong is named, with its file.

import type { z } from 'zod';
import { Fault } from '../../kernel/fault.ts';
import { readLayered } from '../../kernel/layered-folder.ts';
import { type StoryFiles, storyFiles } from './editorial.ts';
import { openStoryRules, type StoryRules } from './open-rules.ts';

/** `folder` is the editorial folder's path. Throws an error in plain words naming the file. */
export async function readStoryRules(folder: string): Promise<StoryRules> {
  return openStoryRules(await readStoryFiles(folder));
}

export async function readStoryFiles(folder: string): Promise<StoryFiles> {
  const read = async <Name extends keyof StoryFiles>(name: Name): Promise<StoryFiles[Name]> => {
    const text = await readLayered(folder, `stories/${name}.json`);
    return parseStoryFile(name, text);
  };
  const [background, traditional, aliases, lexicon, actions, glosses, rules, weights] =
    await Promise.all([
      read('background'),
      read('traditional'),
      read('aliases'),
      read('lexicon'),
      read('actions'),
      read('glosses'),
      read('rules'),
      read('weights'),
    ]);
  return { background, traditional, aliases, lexicon, actions, glosses, rules, weights };
}

/** One file's text as its checked value. */
function parseStoryFile<Name extends keyof StoryFiles>(name: Name, text: string): StoryFiles[Name] {
  const schema: z.ZodType = storyFiles[name];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Fault('invalid_request', `editorial/stories/${name}.json: not JSON`, {
      cause: error,
    });
  }
  const checked = schema.safeParse(json);
  if (checked.success) return checked.data as StoryFiles[Name];
  const faults = checked.error.issues.slice(0, 5).map((issue) => {
    const at = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    return `${at}${issue.message}`;
  });
  throw new Fault('invalid_request', `editorial/stories/${name}.json: ${faults.join('; ')}`);
}
