// Limits on size: columns of a line, lines of a function and of a file, the median of all files,
// and files of a folder.
import { isCode, isProductionCode, isTestPath } from '../place.ts';
import { eachFile, type Rule } from '../rule.ts';
import { childOf, type Node } from '../source.ts';

const maxColumns = 100;
const maxFunctionLines = 120;
const maxFileLines = 600;
const medianBelow = 90;
const maxFolderFiles = 25;

/**
 * Files that contain lists instead of logic: the schema and generated declarations.
 */
const listFiles = [
  'src/store/schema/radar.ts',
  'packages/sdk/src/feed-answers.ts',
  'packages/sdk/src/gateway-answers.ts',
];

const linesFitTheScreen: Rule = {
  name: 'lines of at most 100 columns',
  description: 'A line has at most 100 columns; a wide character counts as two columns.',
  scope: () => true,
  atLeast: 70,
  find: eachFile(({ path, lines }) =>
    lines.flatMap((text, index) => {
      const columns = columnsOf(text);
      return columns > maxColumns ? [{ path, line: index + 1, what: `${columns} columns` }] : [];
    }),
  ),
  violations: [
    { 'src/kernel/a.ts': `// ${'a'.repeat(98)}` },
    { 'migrations/0001_a.sql': `-- ${'字'.repeat(49)}` },
  ],
  nearMisses: [{ 'src/kernel/a.ts': `// ${'a'.repeat(97)}\n// ${'字'.repeat(48)}` }],
};

const functionsFitTheScreen: Rule = {
  name: 'functions of at most 120 lines',
  description: 'A function outside of tests has at most 120 lines that are not blank.',
  scope: (path) => isCode(path) && !isTestPath(path),
  atLeast: 40,
  find: eachFile(({ path, visits, lines, lineOf }) =>
    visits
      .filter(({ node }) => isFunction(node))
      .flatMap(({ node }) => {
        const line = lineOf(node.start);
        const functionLines = lines.slice(line - 1, lineOf(node.end));
        const count = functionLines.filter((text) => text.trim() !== '').length;
        return count > maxFunctionLines
          ? [{ path, line, what: `a function of ${count} lines` }]
          : [];
      }),
  ),
  violations: [
    { 'src/kernel/a.ts': `function a() {\n${'b();\n'.repeat(119)}}` },
    { 'src/kernel/a.ts': `export const a = async () => {\n${'b();\n'.repeat(119)}};` },
    { 'src/kernel/a.ts': `class A {\n  b() {\n${'c();\n'.repeat(119)}}\n}` },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': `function a() {\n${'b();\n\n'.repeat(118)}}` },
    { 'tests/a.test.ts': `describe('a', () => {\n${'b();\n'.repeat(199)}});` },
  ],
};

const filesAreShort: Rule = {
  name: 'files of at most 600 lines',
  description:
    'A file has at most 600 lines; only the schema and generated declarations may have more.',
  scope: (path) => isCode(path) && !listFiles.includes(path),
  atLeast: 60,
  find: eachFile(({ path, lines }) => {
    const count = lengthOf(lines);
    return count > maxFileLines ? [{ path, line: count, what: `a file of ${count} lines` }] : [];
  }),
  violations: [{ 'src/kernel/a.ts': 'a();\n'.repeat(601) }],
  nearMisses: [
    { 'src/kernel/a.ts': 'a();\n'.repeat(600) },
    { 'src/store/schema/radar.ts': 'a();\n'.repeat(900) },
  ],
};

const theMedianFileIsSmall: Rule = {
  name: 'the median file is under 90 lines',
  description: 'Half of the files of src have fewer than 90 lines.',
  scope: isProductionCode,
  atLeast: 40,
  find: (sources) => {
    const counts = sources.map(({ lines }) => lengthOf(lines)).sort((a, b) => a - b);
    const median = counts[Math.floor(counts.length / 2)] ?? 0;
    if (median < medianBelow) return [];
    return [{ path: 'src', line: 1, what: `the median file has ${median} lines` }];
  },
  violations: [{ 'src/kernel/a.ts': 'a();\n'.repeat(90), 'src/kernel/b.ts': 'a();\n'.repeat(95) }],
  nearMisses: [
    {
      'src/kernel/a.ts': 'a();\n'.repeat(89),
      'src/kernel/b.ts': 'a();\n'.repeat(300),
      'src/kernel/c.ts': '',
      'src/kernel/d.test.ts': 'a();\n'.repeat(300),
    },
  ],
};

const foldersAreSmall: Rule = {
  name: 'folders of at most 25 files',
  description: 'A folder holds at most 25 production files.',
  scope: (path) => isProductionCode(path) && !path.includes('/assets/'),
  atLeast: 40,
  find: (sources) => {
    const byFolder = Map.groupBy(sources, ({ path }) => path.replace(/\/[^/]+$/, '/'));
    return [...byFolder]
      .filter(([, files]) => files.length > maxFolderFiles)
      .map(([path, files]) => ({ path, line: 1, what: `a folder of ${files.length} files` }));
  },
  violations: [Object.fromEntries(numberedFiles(26).map((path) => [path, '']))],
  nearMisses: [
    Object.fromEntries([...numberedFiles(25), 'src/kernel/z.test.ts'].map((path) => [path, ''])),
  ],
};

function numberedFiles(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `src/kernel/a${index}.ts`);
}

function isFunction(node: Node): boolean {
  const hasBody = childOf(node, 'body') !== null;
  return hasBody && /^(FunctionDeclaration|FunctionExpression|ArrowFunction)/.test(node.type);
}

function lengthOf(lines: readonly string[]): number {
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

function columnsOf(text: string): number {
  if (text.length <= maxColumns / 2) return text.length;
  return [...text].reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff00-\uff60]/u;

export const sizeRules: readonly Rule[] = [
  linesFitTheScreen,
  functionsFitTheScreen,
  filesAreShort,
  theMedianFileIsSmall,
  foldersAreSmall,
];
