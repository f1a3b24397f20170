// Each table has one file that writes to it. The rule finds writers in Kysely's calls and in SQL
// text, and tables in the migrations. Functions of the migrations write some tables, such as those
// of the ledger; no code writes to these tables.
import { isCode, isProductionCode } from '../place.ts';
import type { Finding, Rule } from '../rule.ts';
import { childOf, childrenOf, memberOf, type Source, stringOf } from '../source.ts';

type TableReference = {
  readonly table: string | null;
  readonly path: string;
  readonly line: number;
};

/** The writer of all statements in database functions, whichever migration defines them. */
const FUNCTIONS = 'migrations/';

const writers = ['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto'];
const table = String.raw`(?:only\s+)?(?:if\s+(?:not\s+)?exists\s+)?((?:"?\w+"?\.)?"?\w+"?|\$\?)`;
const writePattern = new RegExp(
  String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+${table}` +
    String.raw`|\bupdate\s+${table}\s+(?:as\s+\w+\s+|(?!set\b)\w+\s+)?set\b` +
    String.raw`|\bcopy\s+${table}[^;]*\bfrom\s+stdin\b`,
  'gi',
);
const dropPattern = new RegExp(String.raw`\bdrop\s+table\s+${table}`, 'gi');
const createPattern = new RegExp(String.raw`\bcreate\s+(?:unlogged\s+)?table\s+${table}`, 'gi');

const oneWriterPerTable: Rule = {
  name: 'one file writes each table',
  description: 'Each table of the migrations has exactly one file of the store that writes to it.',
  scope: (path) => /^migrations\/.*\.sql$/.test(path) || isProductionCode(path),
  atLeast: 40,
  find: (sources) => {
    const droppedTables = new Set(sources.flatMap(droppedTablesOf));
    const tables = sources.flatMap(tablesOf).filter(({ table: name }) => !droppedTables.has(name));
    const writes = sources.flatMap((source) =>
      isCode(source.path) ? writesOf(source) : functionWritesOf(source),
    );
    return [
      ...writes.flatMap((write) => misplacedWrites(write, tables)),
      ...tables.flatMap((table) => ownershipFindings(table, writes)),
    ];
  },
  violations: [
    {
      'migrations/0001_a.sql': 'create table items (id text);',
      'src/store/items.ts': "db.insertInto('items').values(row);",
      'src/store/feeds.ts': "db.updateTable('items as i').set({ a: 1 });",
    },
    { 'migrations/0001_a.sql': 'CREATE TABLE IF NOT EXISTS public."items" (id text);' },
    {
      'migrations/0001_a.sql': 'create table items (id text);',
      'src/store/items.ts': 'sql`with a as (select 1) insert into items (id) values (${id})`;',
      'src/store/feeds.ts': 'sql`update items i set a = 1`;',
    },
    { 'src/store/items.ts': "db.deleteFrom('never_created');" },
    {
      'migrations/0001_a.sql': 'create table items (id text);',
      'migrations/0002_b.sql': 'DROP TABLE items;',
      'src/store/items.ts': "db.insertInto('items').values(row);",
    },
    { 'src/store/items.ts': 'sql`delete from ${sql.table(name)} where id = ${id}`;' },
    { 'src/store/items.ts': 'db.insertInto(name).values(row);' },
    {
      'migrations/0001_a.sql': 'create table items (id text);',
      'src/radar/ranking/rank.ts': "db.insertInto('items').values(row);",
    },
    {
      'migrations/0001_a.sql':
        'create table items (id text); create function f() as $$ delete from items $$;',
      'src/store/items.ts': "db.insertInto('items').values(row);",
    },
  ],
  nearMisses: [
    {
      'migrations/0001_a.sql':
        'create table items (id text); create function f() as $$ insert into items values (1) $$;',
      'migrations/0002_b.sql': 'create function g() as $$ update items set id = 2 $$;',
    },
    {
      'migrations/0001_a.sql': 'create table items (id text); create table seats (id text);',
      'src/store/items.ts':
        "db.insertInto('items').onConflict((c) => c.doUpdateSet({})); sql`select 1 for update`;",
      'src/store/seats.ts':
        'sql`insert into seats as s values (1) on conflict do update set a = 1`;',
      'src/store/feeds.ts': "db.selectFrom('items').selectAll(); const word = 'update items';",
    },
    {
      'migrations/0001_a.sql': 'create table items (id text);',
      'migrations/0002_b.sql': 'DROP TABLE IF EXISTS items;',
    },
    {
      'src/store/migrate.ts':
        'sql`create table if not exists done (id int)`; sql`insert into done values (1)`;',
    },
  ],
};

function tablesOf(source: Source): TableReference[] {
  const { path, lines, texts } = source;
  const pieces = isCode(path)
    ? texts
    : lines.map((value, index) => ({ value: value.replace(/--.*$/, ''), line: index + 1 }));
  return pieces.flatMap(({ value, line }) =>
    [...value.matchAll(createPattern)]
      // Partitions are written through the parent table; the audit rolls back its `loaded_` tables.
      .filter((match) => !/^(partitions\.|ledger_audit\.loaded_)/i.test(match[1] ?? ''))
      .map((match) => ({ table: plainName(match[1]), path, line })),
  );
}

function droppedTablesOf({ path, lines }: Source): (string | null)[] {
  if (isCode(path)) return [];
  return [...lines.join('\n').matchAll(dropPattern)].map((match) => plainName(match[1]));
}

/** The tables that database functions write: statements between dollar quotes. */
function functionWritesOf({ lines }: Source): TableReference[] {
  const text = lines.map((line) => line.replace(/--.*$/, '')).join('\n');
  let line = 1;
  return text.split('$$').flatMap((piece, index) => {
    const start = line;
    line += piece.split('\n').length - 1;
    if (index % 2 === 0) return [];
    return [...piece.matchAll(writePattern)].map((match) => ({
      table: plainName(match[1] ?? match[2] ?? match[3]),
      path: FUNCTIONS,
      line: start,
    }));
  });
}

function writesOf(source: Source): TableReference[] {
  return [...callsOf(source), ...statementsOf(source)];
}

function callsOf({ path, visits, lineOf }: Source): TableReference[] {
  return visits.flatMap(({ node }) => {
    if (node.type !== 'CallExpression') return [];
    if (!writers.includes(memberOf(childOf(node, 'callee')) ?? '')) return [];
    const [tableArgument] = childrenOf(node, 'arguments');
    return [{ table: plainName(stringOf(tableArgument)), path, line: lineOf(node.start) }];
  });
}

function statementsOf({ path, texts }: Source): TableReference[] {
  return texts.flatMap(({ value, line }) =>
    [...value.matchAll(writePattern)].map((match) => ({
      table: plainName(match[1] ?? match[2] ?? match[3]),
      path,
      line,
    })),
  );
}

/** The name of a table without its schema; null when it is computed. */
function plainName(name: string | null | undefined): string | null {
  if (!name || name === '$?') return null;
  const first = name.trim().split(/\s/)[0] ?? '';
  return first.replaceAll('"', '').split('.').at(-1)?.toLowerCase() ?? null;
}

function misplacedWrites(write: TableReference, tables: readonly TableReference[]): Finding[] {
  const { table: name, path, line } = write;
  if (name === null) return [{ path, line, what: 'writes to a table whose name cannot be read' }];
  if (path !== FUNCTIONS && !path.startsWith('src/store/'))
    return [{ path, line, what: `writes to ${name}` }];
  const isKnown = tables.some((table) => table.table === name);
  return isKnown ? [] : [{ path, line, what: `writes to ${name}, which no migration creates` }];
}

function ownershipFindings(
  { table: name, path, line }: TableReference,
  writes: readonly TableReference[],
): Finding[] {
  const ownWrites = writes.filter((write) => write.table === name);
  const files = [...new Set(ownWrites.map((write) => write.path))];
  if (files.length === 0) return [{ path, line, what: `no file writes to ${name}` }];
  if (files.length === 1) return [];
  return ownWrites.map((write) => ({
    path: write.path,
    line: write.line,
    what: `${name} is written by ${files.join(' and ')}`,
  }));
}

export const tableRules: readonly Rule[] = [oneWriterPerTable];
