// Names of types: a noun or a noun phrase, and for exported types one definition in all of src.
import { isProductionCode } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import { childOf, nameOf, type Source } from '../source.ts';

type NamedType = {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly isExported: boolean;
};

const irregularParticiples = new Set([
  ...[
    'Told',
    'Sent',
    'Kept',
    'Drawn',
    'Begun',
    'Known',
    'Taken',
    'Heard',
    'Given',
    'Seen',
    'Found',
  ],
  ...['Written', 'Brought', 'Held', 'Made', 'Done', 'Shown', 'Paid', 'Said', 'Read', 'Put', 'Cut'],
  ...['Left', 'Lost', 'Met', 'Owed', 'Understood', 'Chosen', 'Grown', 'Hidden', 'Spent', 'Spoken'],
  ...['Thought', 'Won', 'Run', 'Gone', 'Come', 'Bound', 'Built', 'Bought', 'Sold', 'Whose'],
  ...['Which', 'Whole', 'Split', 'Broken', 'Drawing', 'Meant'],
]);
/** Nouns that end like a participle. */
const nouns = new Set([
  ...['Setting', 'Encoding', 'Routing', 'Ranking', 'Warning', 'Embedding', 'Heading', 'Rating'],
  ...['String', 'Feed', 'Seed', 'Speed', 'Thing', 'Embed', 'Pricing', 'Spelling', 'Wording'],
]);
const genericNames = new Set([
  ...['Row', 'Page', 'Entry', 'Fields', 'Input', 'Parts', 'Answer', 'Context', 'Options'],
]);

const noParticiples: Rule = {
  name: 'no participle as a type name',
  description: 'A type is named by a noun; a participle stands before a noun only.',
  scope: isProductionCode,
  atLeast: 40,
  find: eachFile((source) =>
    typesOf(source)
      .filter(({ name }) => isParticiple(name))
      .map(({ name, path, line }) => ({ path, line, what: `type ${name}` })),
  ),
  violations: [
    { 'src/kernel/a.ts': 'export type Asked = string;' },
    { 'src/kernel/a.ts': 'type Opening = string;' },
    { 'src/kernel/a.ts': 'interface Told {}' },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': 'export type FetchedSource = string; type Setting = string;' },
    { 'src/kernel/a.test.ts': 'type Asked = string;' },
  ],
};

const exportedTypesAreUnique: Rule = {
  name: 'unique exported types',
  description: 'The name of an exported type is defined once in src.',
  scope: isProductionCode,
  atLeast: 40,
  find: (sources) => {
    const exportedTypes = sources.flatMap(typesOf).filter((type) => type.isExported);
    const byName = Map.groupBy(exportedTypes, ({ name }) => name);
    return [...byName.values()]
      .filter((sameName) => new Set(sameName.map(({ path }) => path)).size > 1)
      .flatMap((sameName) =>
        sameName.map(({ name, path, line }): Finding => {
          const otherPaths = sameName
            .filter((other) => other.path !== path)
            .map((other) => other.path);
          return { path, line, what: `type ${name}, also in ${otherPaths.join(', ')}` };
        }),
      );
  },
  violations: [
    {
      'src/radar/a.ts': 'export type Story = string;',
      'src/gateway/a.ts': 'export interface Story {}',
    },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': 'export type Story = string;', 'src/kernel/b.ts': 'type Story = string;' },
  ],
};

const exportedNamesAreSpecific: Rule = {
  name: 'no generic type name',
  description: 'An exported type has a qualifying noun: FormPage, not Page.',
  scope: isProductionCode,
  atLeast: 40,
  find: eachFile((source) =>
    typesOf(source)
      .filter(({ name, isExported }) => isExported && genericNames.has(name))
      .map(({ name, path, line }) => ({ path, line, what: `type ${name}` })),
  ),
  violations: [{ 'src/kernel/a.ts': 'export type Row = string;' }],
  nearMisses: [{ 'src/kernel/a.ts': 'type Row = string; export type TableRow = string;' }],
};

function typesOf({ path, visits, lineOf }: Source): readonly NamedType[] {
  return visits.flatMap(({ node, parent }) => {
    if (!/^TS(TypeAlias|Interface)Declaration$/.test(node.type)) return [];
    const name = nameOf(childOf(node, 'id'));
    const isExported = parent?.type === 'ExportNamedDeclaration';
    return name === null ? [] : [{ name, path, line: lineOf(node.start), isExported }];
  });
}

function isParticiple(name: string): boolean {
  if (nouns.has(name)) return false;
  return irregularParticiples.has(name) || /^[A-Z][a-z]+(ed|ing)$/.test(name);
}

export const typeRules: readonly Rule[] = [
  noParticiples,
  exportedTypesAreUnique,
  exportedNamesAreSpecific,
];
