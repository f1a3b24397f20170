// The import graph: every import can be resolved to a file, and there is no cycle.
import { isCode, isPackage, targetOf } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import type { Source } from '../source.ts';

const importsExist: Rule = {
  name: 'imports name existing files',
  description: 'Every import is a literal, and a relative one names an existing file in full.',
  scope: isCode,
  atLeast: 60,
  find: (sources) => {
    const paths = new Set(sources.map(({ path }) => path));
    return sources.flatMap((source) => findUnresolvedImports(source, paths));
  },
  violations: [
    { 'src/cli/a.ts': "import { b } from './b.ts';" },
    { 'src/cli/a.ts': "import { b } from './b';", 'src/cli/b.ts': '' },
    { 'src/cli/a.ts': 'const command = await import(`./${name}.ts`);' },
  ],
  nearMisses: [
    {
      'src/cli/a.ts': "import { b } from './b.ts'; import x from 'x'; import j from './j.json';",
      'src/cli/b.ts': '',
    },
  ],
};

const noCycles: Rule = {
  name: 'no import cycles',
  description: 'No file imports itself through others, types included.',
  scope: isCode,
  atLeast: 60,
  find: (sources) => {
    const edges = new Map(sources.map((source) => [source.path, edgesOf(source)]));
    return sources.flatMap(({ path }) => {
      const cycle = shortestCycle(path, edges);
      return cycle ? [{ path, line: 1, what: `cycle: ${cycle.join(' → ')}` }] : [];
    });
  },
  violations: [
    { 'src/cli/a.ts': "import './b.ts';", 'src/cli/b.ts': "import type { A } from './a.ts';" },
    {
      'src/cli/a.ts': "import './b.ts';",
      'src/cli/b.ts': "export { c } from './c.ts';",
      'src/cli/c.ts': "const a = await import('./a.ts');",
    },
    { 'src/cli/a.ts': "import './a.ts';" },
  ],
  nearMisses: [
    {
      'src/cli/a.ts': "import './b.ts'; import './c.ts';",
      'src/cli/b.ts': "import './d.ts';",
      'src/cli/c.ts': "import './d.ts';",
      'src/cli/d.ts': '',
    },
  ],
};

const parsesCleanly: Rule = {
  name: 'every file parses',
  description:
    'The parser reads every file without an error, because rules check only parsed files.',
  scope: isCode,
  atLeast: 60,
  find: eachFile(({ path, errors }) => errors.map((what) => ({ path, line: 1, what }))),
  violations: [{ 'src/cli/a.ts': 'const = 3;' }],
  nearMisses: [{ 'src/cli/a.ts': 'const a: number = 3;' }],
};

function findUnresolvedImports({ path, imports }: Source, paths: ReadonlySet<string>): Finding[] {
  return imports.flatMap(({ specifier, line }) => {
    if (specifier === null) return [{ path, line, what: 'a computed import cannot be checked' }];
    const target = targetOf(path, specifier);
    const isCheckable = specifier.startsWith('.') && !target.endsWith('.json');
    return !isCheckable || paths.has(target)
      ? []
      : [{ path, line, what: `no such file: ${target}` }];
  });
}

function edgesOf({ path, imports }: Source): string[] {
  return imports.flatMap(({ specifier }) =>
    specifier && !isPackage(specifier) ? [targetOf(path, specifier)] : [],
  );
}

/** The shortest cycle through a file; null when there is none. */
function shortestCycle(from: string, edges: ReadonlyMap<string, string[]>): string[] | null {
  const visited = new Set<string>();
  let paths: string[][] = [[from]];
  while (paths.length > 0) {
    const nextPaths: string[][] = [];
    for (const path of paths) {
      for (const target of edges.get(path.at(-1) ?? '') ?? []) {
        if (target === from) return [...path, target];
        if (!visited.has(target)) nextPaths.push([...path, target]);
        visited.add(target);
      }
    }
    paths = nextPaths;
  }
  return null;
}

export const graphRules: readonly Rule[] = [parsesCleanly, importsExist, noCycles];
