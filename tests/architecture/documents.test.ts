// The documents match the project: their links, paths and npm scripts exist, and READMEs, decision
// records and the glossary have the required content.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pathList = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
});
const documents = pathList
  .split('\n')
  .filter((path) => path.endsWith('.md') && !/^(editorial|tests\/corpus)\//.test(path))
  .filter((path) => existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Targets of a document's links inside the project, without anchors. */
function linksOf(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return targets
    .filter((target) => !/^([a-z]+:|#)/i.test(target))
    .map((target) => target.split('#')[0] ?? '');
}

/** Paths of this repository in backquotes: `src/main.ts`, `docs/decisions`. */
function pathsOf(text: string): string[] {
  const folders = 'src|tests|bin|docs|editorial|migrations|bench|demo|packages|examples';
  const path = new RegExp(`^(?:${folders})/[\\w./-]+$`);
  const names = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);
  return names.filter((name) => path.test(name));
}

/** The npm scripts that a document names. */
function scriptsOf(text: string): string[] {
  const matches = [...text.matchAll(/\bnpm (?:run (?:-s )?([a-z:-]+)|(start|test)\b)/g)];
  return matches.map((match) => match[1] ?? match[2] ?? '');
}

it('finds documents to check', () => {
  expect(documents.length).toBeGreaterThanOrEqual(6);
  expect(documents.flatMap(({ text }) => linksOf(text)).length).toBeGreaterThan(8);
});

it('every link inside the project has an existing target', () => {
  const deadLinks = documents.flatMap(({ path, text }) =>
    linksOf(text)
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path} → ${target}`),
  );
  expect(deadLinks).toEqual([]);
});

it('every path in backquotes exists', () => {
  const missingPaths = documents.flatMap(({ path, text }) =>
    pathsOf(text)
      .filter((name) => !existsSync(join(root, name)))
      .map((name) => `${path}: ${name}`),
  );
  expect(missingPaths).toEqual([]);
});

it('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const scriptNames = Object.keys(scripts);
  const unknownScripts = documents.flatMap(({ path, text }) =>
    scriptsOf(text)
      .filter((name) => !scriptNames.includes(name))
      .map((name) => `${path}: npm run ${name}`),
  );
  expect(unknownScripts).toEqual([]);
});

const codeFiles = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src/*.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

/** The module of a file: `src/radar/sources`, `src/kernel`. Files below `src` have none. */
function moduleOf(path: string): string | null {
  const folders = dirname(path).split('/');
  const isProduct = folders[1] === 'radar' || folders[1] === 'gateway';
  const depth = isProduct ? 3 : 2;
  return folders.length < depth ? null : folders.slice(0, depth).join('/');
}

/** Folders and files that a module's README omits or names wrongly. */
function readmeFaults(module: string, text: string, files: readonly string[]): string[] {
  const moduleFiles = files.filter((path) => moduleOf(path) === module);
  const folders = new Set(
    moduleFiles.map((path) => dirname(path).slice(module.length + 1)).filter((path) => path !== ''),
  );
  const names = [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);
  const paths = names.map((name) => name.replace(/\/$/, ''));
  const undescribedFolders = [...folders].filter(
    (folder) => !paths.some((name) => folder === name || folder.endsWith(`/${name}`)),
  );
  const unknownFiles = names.filter(
    (name) => name.endsWith('.ts') && !moduleFiles.some((path) => path.endsWith(`/${name}`)),
  );
  return [
    ...undescribedFolders.map((folder) => `${module}: ${folder}/ is not described`),
    ...unknownFiles.map((name) => `${module}: ${name} does not exist`),
  ];
}

it('every module has a README that describes its folders and names existing files', () => {
  const modules = new Set(codeFiles.map(moduleOf).filter((module) => module !== null));
  const faults = [...modules].flatMap((module) => {
    const path = join(root, module, 'README.md');
    if (!existsSync(path)) return [`${module}: README.md is missing`];
    return readmeFaults(module, readFileSync(path, 'utf8'), codeFiles);
  });
  expect(faults).toEqual([]);
  expect(modules.size).toBeGreaterThan(20);
  const planted = ['src/kernel/world.ts', 'src/kernel/net/net.ts'];
  expect(readmeFaults('src/kernel', 'Start at `earth.ts`.', planted)).toEqual([
    'src/kernel: net/ is not described',
    'src/kernel: earth.ts does not exist',
  ]);
});

const decisionParts = ['## Context', '## Decision', '## Consequences', '## Measured'];

/** Missing parts of a decision record, and its overlong lines. */
function decisionFaults(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  const headings = lines.filter((line) => line.startsWith('## '));
  return [
    ...(headings.join() === decisionParts.join() ? [] : [`headings: ${headings.join(', ')}`]),
    ...(lines.length > 60 ? [`${lines.length} lines`] : []),
    ...lines.flatMap((line, index) => (line.length > 100 ? [`line ${index + 1}: too long`] : [])),
  ];
}

it('every decision record has four headings, at most 60 lines and 100 columns', () => {
  const decisions = documents.filter(({ path }) => path.startsWith('docs/decisions/'));
  expect(decisions.length).toBeGreaterThan(20);
  const faults = decisions.flatMap(({ path, text }) =>
    decisionFaults(text).map((fault) => `${path} ${fault}`),
  );
  expect(faults).toEqual([]);
});

/** The words of a glossary's terms, in lower case. `duplicate group` has two. */
function termsOf(glossary: string): string[][] {
  const terms = [...glossary.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, term = '']) => term);
  return terms.map((term) => term.toLowerCase().split(' '));
}

/** Terms that no identifier contains, singular or plural. */
function unusedTerms(terms: readonly string[][], names: ReadonlySet<string>): string[] {
  const isUsed = (word: string) => names.has(word) || names.has(`${word}s`);
  return terms.filter((term) => !term.every(isUsed)).map((term) => term.join(' '));
}

it('every glossary term is part of a name in the code', () => {
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
  const terms = termsOf(glossary);
  expect(terms.length).toBeGreaterThanOrEqual(35);
  const sources = execFileSync('git', ['grep', '-hoE', '[A-Za-z]+', '--', 'src/*.ts'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const words = sources
    .split('\n')
    .flatMap((name) => name.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/));
  const names = new Set(words.map((word) => word.toLowerCase()));
  expect(unusedTerms(terms, names)).toEqual([]);
});

it('the checks report planted faults', () => {
  const planted =
    'See [a](docs/a.md#top), [b](https://example.org) and `npm run dance`, `npm test`.';
  expect(linksOf(planted)).toEqual(['docs/a.md']);
  expect(scriptsOf(planted)).toEqual(['dance', 'test']);
  expect(pathsOf('`src/a.ts`, `docs/b`, `tests`, `/api/v1/items` and `npm test`')).toEqual([
    'src/a.ts',
    'docs/b',
  ]);
  expect(decisionFaults(`## Context\n${'x'.repeat(101)}`)).toEqual([
    'headings: ## Context',
    'line 2: too long',
  ]);
  expect(decisionFaults(decisionParts.join('\n'))).toEqual([]);
  const terms = termsOf('| **duplicate group** | items |\n| **seat** | a place |\n');
  expect(unusedTerms(terms, new Set(['duplicate', 'groups']))).toEqual(['seat']);
});
