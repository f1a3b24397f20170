// The operators' documents match the program. Every variable, alert, configuration key and command
// is documented, and the documents name no others.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { configJsonSchema, listSettings } from '../../src/config.ts';
import { command, writeConfigurationPage } from '../support/write-configuration-page.ts';

const root = join(import.meta.dirname, '../..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const operations = readText('docs/operations.md');
const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Names in the first column of the tables under a heading. */
function firstColumn(text: string, heading: string): string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

it('documents every environment variable, and only existing ones', () => {
  const existingNames = listSettings({})
    .map(({ name }) => name)
    .filter((name) => /^[A-Z_]+$/.test(name));
  expect(existingNames.length).toBeGreaterThan(12);
  expect(firstColumn(operations, 'Variables').sort()).toEqual([...existingNames].sort());
});

it('has a runbook for every alert, and for no other', () => {
  const kinds = [
    ...readText('src/alerts/conditions.ts').matchAll(/^ {2}\| '(\w+)'/gm),
    // Alerts that a process sends without the database.
    ...readText('src/alerts/open-alerts.ts').matchAll(/condition: '(database_\w+)' \|/g),
  ];
  const sections = [...readText('docs/runbooks.md').matchAll(/^## (\w+)$/gm)];
  expect(kinds.length).toBeGreaterThan(12);
  const nameOf = ([, name = '']: readonly string[]) => name;
  expect(sections.map(nameOf).sort()).toEqual(kinds.map(nameOf).sort());
});

it('documents every configuration key with its default', () => {
  const page = writeConfigurationPage(configJsonSchema());
  expect(page.split('\n').length).toBeGreaterThan(60);
  expect(readText('docs/configuration.md') === page, `the page is outdated: run ${command}`).toBe(
    true,
  );
});

it('every key of an example in operations.md exists', () => {
  const page = readText('docs/configuration.md');
  const examples = [...operations.matchAll(/```json\n(\{\s+"\$schema"[\s\S]*?)```/g)];
  expect(examples.length).toBeGreaterThan(0);
  const keysOf = (value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, inner]) =>
          keysOf(inner, path === '' ? name : `${path}.${name}`),
        )
      : [path];
  for (const [, text = ''] of examples) {
    const missing = keysOf(JSON.parse(text), '').filter((key) => !page.includes(`| \`${key}\` |`));
    expect(missing.filter((key) => key !== '$schema')).toEqual([]);
  }
});

type Command = ReturnType<typeof buildProgram>;
const app = { terminal: { out: () => {}, note: () => {} } } as never;
const program = buildProgram(app, '0');

/** The first word that is not part of a command; null when all words form a command. */
function firstUnknownWord(words: readonly string[]): string | null {
  let command: Command = program as Command;
  for (const word of words) {
    if (command.commands.length === 0) return null;
    const subcommand = command.commands.find((candidate) => candidate.name() === word);
    if (subcommand === undefined) return word;
    command = subcommand as Command;
  }
  return null;
}

/** Commands that occur as code in a text. `radar a b/c <d>` gives two commands. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const code = [...text.matchAll(/`([^`\n]+)`|^( *(?:npx |bin\/)?radar .*)$/gm)];
  return code.flatMap(([, inline, line]) => {
    const match = /^ *(?:npx |bin\/|\S+\/bin\/)?radar ((?:[a-z][a-z/-]*(?: |$))+)/.exec(
      inline ?? line ?? '',
    );
    const words = match?.[1]?.trim().split(' ') ?? [];
    const lastWord = words.pop();
    return lastWord === undefined ? [] : lastWord.split('/').map((name) => [...words, name]);
  });
}

it('every command that a document names exists', () => {
  expect(
    commandsIn('Run `npx radar item withdraw/restore <id>` or\nbin/radar serve --now x'),
  ).toEqual([['item', 'withdraw'], ['item', 'restore'], ['serve']]);
  expect(firstUnknownWord(['item', 'withdraw'])).toBe(null);
  expect(firstUnknownWord(['item', 'dance'])).toBe('dance');
  const mentionedCommands = documents.flatMap((path) =>
    commandsIn(readText(path)).map((words) => ({ path, words })),
  );
  expect(mentionedCommands.length).toBeGreaterThan(20);
  expect(mentionedCommands.filter(({ words }) => firstUnknownWord(words) !== null)).toEqual([]);
});

it('operations.md lists every command', () => {
  const commandNames = commandsIn(operations).map((words) => words.join(' '));
  const leafNames = (parent: Command, path: readonly string[]): string[] =>
    parent.commands.length === 0
      ? [path.join(' ')]
      : parent.commands.flatMap((command) =>
          leafNames(command as Command, [...path, command.name()]),
        );
  const programCommands = leafNames(program as Command, []);
  expect(programCommands.length).toBeGreaterThan(30);
  expect(programCommands.filter((name) => !commandNames.includes(name))).toEqual([]);
});
