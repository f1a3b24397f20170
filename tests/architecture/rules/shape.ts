// The shape of a file: no barrels, no default exports, no `any`, no `!`, and a first comment that
// states its purpose.
import { isCode, isProductionCode, isTestPath } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import { childOf, childrenOf, memberOf, type Node, type Source, stringOf } from '../source.ts';

/** Files whose tools require a default export. */
const defaultExported = /^\w+\.config\.ts$/;
/** Public entry files of published packages. */
const packageEntry = /^packages\/[^/]+\/src\/index\.ts$/;

const noBarrels: Rule = {
  name: 'no barrel files',
  description: 'No file re-exports all of another, and none consists of re-exports.',
  scope: (path) => isCode(path) && !packageEntry.test(path),
  atLeast: 60,
  find: eachFile(findBarrels),
  violations: [
    { 'src/kernel/a.ts': "export * from './b.ts'; export const c = 1;" },
    { 'src/kernel/a.ts': "export * as b from './b.ts'; export const c = 1;" },
    { 'src/kernel/a.ts': "export { b } from './b.ts';\nexport type { D } from './d.ts';" },
    { 'src/kernel/a.ts': "import { b } from './b.ts';\nexport { b };" },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': "export { b } from './b.ts'; export const c = 1;" },
    { 'packages/sdk/src/index.ts': "export { b } from './b.ts';" },
  ],
};

const noDefaultExports: Rule = {
  name: 'no default exports',
  description: 'Every export has a name, which importing files keep.',
  scope: (path) => isCode(path) && !defaultExported.test(path),
  atLeast: 60,
  find: eachFile((source) =>
    nodesWhere(source, 'a default export', ({ node }) => {
      const renamed = node.type === 'ExportSpecifier' && isDefault(node.exported);
      return node.type === 'ExportDefaultDeclaration' || renamed;
    }),
  ),
  violations: [
    { 'src/kernel/a.ts': 'export default function a() {}' },
    { 'src/kernel/a.ts': 'const a = 1; export { a as default };' },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': "export const a = 1; import b from 'b';" },
    { 'vitest.config.ts': 'export default {};' },
  ],
};

const noSuppressedChecks: Rule = {
  name: 'no any, no !',
  description: 'No type check is suppressed: no any, no !, no @ts-ignore.',
  scope: isCode,
  atLeast: 60,
  find: eachFile((source) => [
    ...nodesWhere(source, 'any', ({ node }) => node.type === 'TSAnyKeyword'),
    ...nodesWhere(source, '! on a value', ({ node }) => node.type === 'TSNonNullExpression'),
    ...nodesWhere(source, '! on a declaration', ({ node }) => node.definite === true),
    ...source.comments
      .filter(({ value }) => /^[\s*]*@ts-(ignore|nocheck|expect-error)\b/.test(value))
      .map(({ line }) => ({ path: source.path, line, what: 'suppresses a type check' })),
  ]),
  violations: [
    { 'src/kernel/a.ts': 'export const a = (b: any) => b;' },
    { 'src/kernel/a.ts': 'export const a = b as Map<string, any>;' },
    { 'tests/a.test.ts': 'export const a = b!.c;' },
    { 'src/kernel/a.ts': 'class A { b!: string }' },
    { 'src/kernel/a.ts': 'let a!: string;' },
    { 'src/kernel/a.ts': '// @ts-ignore\nexport const a = b;' },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': 'export const any = !b; // any!' },
    { 'src/kernel/a.ts': "const a: unknown = 'any'; if (a !== b) c();" },
  ],
};

const purposeFirst: Rule = {
  name: 'a file opens with its purpose',
  description: 'A file begins with a comment about its purpose.',
  scope: (path) =>
    (isProductionCode(path) || /^(demo|bench)\//.test(path)) && isCode(path) && !isTestPath(path),
  atLeast: 40,
  find: eachFile(({ path, comments, lines }) => {
    const first = lines[0]?.startsWith('#!') ? 2 : 1;
    const header = comments.find(({ line, value }) => line === first && value.trim().length > 20);
    return header
      ? []
      : [{ path, line: first, what: 'begins without a comment about its purpose' }];
  }),
  violations: [
    { 'src/kernel/a.ts': "import { b } from './b.ts';\n// The rule of a is that it is never b." },
    { 'src/kernel/a.ts': '//\nexport const a = 1;' },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': '// The rule of a is that it is never b.\nexport const a = 1;' },
    { 'src/kernel/a.ts': '#!/usr/bin/env node\n/* The rule of a is that it is never b. */' },
  ],
};

const noLiteralSpreads: Rule = {
  name: 'no literal spread',
  description: 'An object literal lists its properties; it does not spread another literal.',
  scope: isCode,
  atLeast: 60,
  find: eachFile((source) =>
    nodesWhere(source, 'an object literal is spread into another', ({ node, parent }) => {
      const isSpread = node.type === 'SpreadElement' && parent?.type === 'ObjectExpression';
      return isSpread && childOf(node, 'argument')?.type === 'ObjectExpression';
    }),
  ),
  violations: [{ 'src/kernel/a.ts': 'const a = { ...{ b, c }, d };' }],
  nearMisses: [
    { 'src/kernel/a.ts': 'const a = { ...(b ? { c } : {}), ...(d && { e }) };' },
    { 'src/kernel/a.ts': 'const a = { ...b, c }; const d = [...[1, 2], 3];' },
  ],
};

const noStringProtocols: Rule = {
  name: 'no string protocol',
  description:
    'A value with parts is an object: no text is split at “|” outside of decode-result.ts.',
  scope: (path) => isProductionCode(path) && !path.endsWith('/decode-result.ts'),
  atLeast: 40,
  find: eachFile((source) =>
    nodesWhere(source, 'splits a text into parts', ({ node }) => {
      if (node.type !== 'CallExpression') return false;
      const callee = childOf(node, 'callee');
      const method = memberOf(callee);
      if (method === 'split') return stringOf(childrenOf(node, 'arguments')[0]) === '|';
      if (method !== 'match' && method !== 'replace') return false;
      return memberOf(childOf(callee, 'object')) === 'attribute';
    }),
  ),
  violations: [
    { 'src/kernel/a.ts': "const [a, b] = c.split('|');" },
    { 'src/kernel/a.ts': 'const a = claim.attribute.match(/@/);' },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': "const a = b.split(','); const c = d.match(/e/);" },
    { 'src/store/ledger/decode-result.ts': "const a = b.split('|');" },
  ],
};

function findBarrels(source: Source): Finding[] {
  const { path, visits } = source;
  const exportAllFindings = nodesWhere(source, 're-exports all of another file', ({ node }) => {
    return node.type === 'ExportAllDeclaration';
  });
  const topStatements = visits.filter(
    ({ field, parent }) => field === 'body' && parent?.type === 'Program',
  );
  const importedNames = new Set(
    visits.filter(({ parent, field }) => field === 'local' && isImporting(parent)).map(nameAt),
  );
  const isReexport = ({ node }: { node: Node }) => {
    if (node.type !== 'ExportNamedDeclaration') return false;
    const exportSpecifiers = visits.filter(({ parent }) => parent?.type === 'ExportSpecifier');
    const locals = exportSpecifiers.filter(({ field }) => field === 'local').map(nameAt);
    return (
      Boolean(node.source) || (!node.declaration && locals.every((name) => importedNames.has(name)))
    );
  };
  const isBarrel =
    topStatements.some(isReexport) &&
    topStatements.every((visit) => visit.node.type === 'ImportDeclaration' || isReexport(visit));
  return isBarrel
    ? [...exportAllFindings, { path, line: 1, what: 'contains only re-exports' }]
    : exportAllFindings;
}

function isImporting(node: Node | null): boolean {
  return node !== null && /^Import\w*Specifier$/.test(node.type);
}

function nameAt({ node }: { readonly node: Node }): unknown {
  return node.name;
}

function isDefault(exported: unknown): boolean {
  return (exported as { readonly name?: string } | null)?.name === 'default';
}

function nodesWhere(
  { path, visits, lineOf }: Source,
  what: string,
  test: (visit: Source['visits'][number]) => boolean,
): Finding[] {
  return visits.filter(test).map(({ node }) => ({ path, line: lineOf(node.start), what }));
}

export const shapeRules: readonly Rule[] = [
  noBarrels,
  noDefaultExports,
  noSuppressedChecks,
  purposeFirst,
  noLiteralSpreads,
  noStringProtocols,
];
