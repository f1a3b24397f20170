// `radar eval stories`: the story engine over a file of items, as they come; with a model, vectors
// and its word where the engine is unsure.
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { Fault } from '../kernel/fault.ts';
import { assignAdvised } from '../radar/stories/advice/assign-advised.ts';
import { assignAll } from '../radar/stories/assign-all.ts';
import type { StoryItem } from '../radar/stories/item.ts';
import type { App } from './app.ts';
import { readFileAt } from './read-file-at.ts';

const row = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  time: z.string().nullish(),
  lang: z.string().nullish(),
  title: z.string().nullish(),
  text: z.string().nullish(),
});

export type StoryOptions = {
  readonly in: string;
  readonly out: string;
  /** `true`: the configured one; a name: that one at the same address. */
  readonly model?: string | true;
};

export async function evaluateStories(app: App, options: StoryOptions): Promise<void> {
  const rules = await app.openStoryRules();
  const items = parseItems((await readFileAt(options.in)).toString('utf8'));
  const { model } = options;
  if (model === undefined) return write(app, options.out, assignAll(rules, items));
  await app.advise(model, async (world, adviser) => {
    await write(app, options.out, await assignAdvised(world, rules, items, adviser));
    const { asked, answered, pairs, agreed, vectors } = adviser.counts();
    const share = (asked / Math.max(1, items.length)).toFixed(3);
    const calls = `${asked} questions (${share} an item), ${answered} answered`;
    const merges = `${pairs} pairs of stories asked twice, ${agreed} agreed`;
    app.terminal.note(`${calls}; ${merges}; ${vectors} vectors\n`);
  });
}

async function write(app: App, path: string, assigned: ReturnType<typeof assignAll>) {
  const lines = assigned.map(({ id, story }) => `${JSON.stringify({ id, story })}\n`);
  await writeFile(path, lines.join(''));
  const stories = new Set(assigned.map(({ story }) => story)).size;
  app.terminal.note(`${assigned.length} items in ${stories} stories: ${path}\n`);
}

function parseItems(text: string): readonly StoryItem[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const wrong = (what: string) =>
      new Fault('invalid_request', `Line ${at + 1} of the items: ${what}.`);
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      throw wrong('it is not JSON');
    }
    const checked = row.safeParse(json);
    if (!checked.success) throw wrong('it is not { id, time, lang, title, text? }');
    const { id, time, lang, title, text } = checked.data;
    const timeMs = time === null || time === undefined ? null : Date.parse(time);
    if (Number.isNaN(timeMs)) throw wrong(`"${time}" is not a time`);
    const base = { id, timeMs, lang: lang ?? '', title: title ?? '' };
    return [text === null || text === undefined ? base : { ...base, text }];
  });
}
