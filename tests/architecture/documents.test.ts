// The documents match the project: every link has a target, and every command in them exists.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
});
const documents = listed
  .split('\n')
  .filter((path) => path.endsWith('.md') && !/^(editorial|tests\/corpus)\//.test(path))
  .filter((path) => existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Where the links of a document lead inside the project, anchors left out. */
function linksOf(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return targets
    .filter((target) => !/^([a-z]+:|#)/i.test(target))
    .map((target) => target.split('#')[0] ?? '');
}

/** The npm scripts that a document names. */
function scriptsOf(text: string): string[] {
  const named = [...text.matchAll(/\bnpm (?:run (?:-s )?([a-z:-]+)|(start|test)\b)/g)];
  return named.map((match) => match[1] ?? match[2] ?? '');
}

it('there are documents to look at', () => {
  expect(documents.length).toBeGreaterThanOrEqual(6);
  expect(documents.flatMap(({ text }) => linksOf(text)).length).toBeGreaterThan(8);
});

it('every link inside the project leads to a file', () => {
  const dead = documents.flatMap(({ path, text }) =>
    linksOf(text)
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path} → ${target}`),
  );
  expect(dead).toEqual([]);
});

it('every npm script that a document names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const known = Object.keys(scripts);
  const unknown = documents.flatMap(({ path, text }) =>
    scriptsOf(text)
      .filter((name) => !known.includes(name))
      .map((name) => `${path}: npm run ${name}`),
  );
  expect(unknown).toEqual([]);
});

it('the checks bite on planted text', () => {
  const planted =
    'See [a](docs/a.md#top), [b](https://example.org) and `npm run dance`, `npm test`.';
  expect(linksOf(planted)).toEqual(['docs/a.md']);
  expect(scriptsOf(planted)).toEqual(['dance', 'test']);
});
