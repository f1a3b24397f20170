// Reads the prompts of an editorial folder. Limits of the front matter are inserted into the text,
// so the prompt states the enforced limits. A prompt's version is a hash of its text and limits.
import { hash } from 'node:crypto';
import type { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { readLayered } from '../../../kernel/files/layered-folder.ts';
import type { Prompt } from '../../../kernel/ports/model.ts';
import { type BoundsOf, type PromptName, promptFiles, sharedFiles } from './prompt-files.ts';

export type EditorialPrompt<Name extends PromptName = PromptName> = Prompt & {
  readonly bounds: BoundsOf<Name>;
};

export type Prompts = { readonly [Name in PromptName]: EditorialPrompt<Name> };

/** `folder` is the path of the editorial folder. Errors name the file and the line or key. */
export async function readPrompts(folder: string): Promise<Prompts> {
  const readPrompt = (name: string) => readLayered(folder, `prompts/${name}.md`);
  // The files are read in sequence, so that every run reports the same missing file.
  const texts: string[] = [];
  for (const name of sharedFiles) texts.push(sharedText(name, await readPrompt(name)));
  const [field = '', sourceText = ''] = texts;
  const shared = { field, sourceText };
  const names = Object.keys(promptFiles) as PromptName[];
  const prompts = await Promise.all(
    names.map(async (name) => [name, parsePrompt(name, await readPrompt(name), shared)] as const),
  );
  return Object.fromEntries(prompts) as Prompts;
}

export type SharedText = { readonly field: string; readonly sourceText: string };

/** Parses one file. */
export function parsePrompt<Name extends PromptName>(
  name: Name,
  text: string,
  { field, sourceText }: SharedText,
): EditorialPrompt<Name> {
  const { head, body } = splitFile(name, text);
  const schema: z.ZodType = promptFiles[name];
  const checkResult = schema.safeParse(head);
  if (!checkResult.success) {
    const problems = checkResult.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    );
    throw fault(name, problems.join('; '));
  }
  const bounds = checkResult.data as BoundsOf<Name>;
  const system = [field, fillPrompt(name, body, bounds), sourceText].join('\n\n');
  const version = hash('sha256', JSON.stringify([bounds, system]), 'hex').slice(0, 12);
  const { step, answerTokens } = bounds;
  return { id: name, step, version, system, answerTokens, bounds };
}

function sharedText(name: string, text: string): string {
  const { head, body } = splitFile(name, text);
  const keys = Object.keys(head);
  if (head.step === 'shared' && keys.length === 1) return body;
  throw fault(name, 'its front matter must be "step: shared" and nothing else');
}

type FrontMatter = Readonly<Record<string, string | number>>;

function splitFile(
  name: string,
  text: string,
): { readonly head: FrontMatter; readonly body: string } {
  const [, frontMatter, promptText] =
    /^---\n(.*?)\n---\n(.*)$/su.exec(text.replace(/\r\n?/g, '\n')) ?? [];
  const body = promptText?.trim() ?? '';
  if (frontMatter === undefined)
    throw fault(name, 'must begin with front matter between two lines "---"');
  if (body === '') throw fault(name, 'has no text below its front matter');
  const head = frontMatter.split('\n').flatMap((line, index): [string, string | number][] => {
    if (line.trim() === '') return [];
    const [, key, value] = /^([A-Za-z]+):\s*(\S.*?)\s*$/u.exec(line) ?? [];
    if (key === undefined || value === undefined) {
      throw fault(name, `line ${index + 2} is not "key: value"`);
    }
    return [[key, /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value]];
  });
  const keys = head.map(([key]) => key);
  const repeatedKey = keys.find((key, index) => keys.indexOf(key) !== index);
  if (repeatedKey !== undefined)
    throw fault(name, `"${repeatedKey}" occurs twice in the front matter`);
  return { head: Object.fromEntries(head), body };
}

function fillPrompt(name: string, body: string, bounds: object): string {
  const values: Readonly<Record<string, unknown>> = { ...bounds };
  return body.replace(/\{\{\s*([A-Za-z]+)\s*\}\}/g, (_whole, key: string) => {
    if (Object.hasOwn(values, key)) return String(values[key]);
    throw fault(name, `{{${key}}} is not a limit of its front matter`);
  });
}

const fault = (name: string, problem: string) =>
  new Fault('invalid_request', `editorial/prompts/${name}.md: ${problem}`);
