// Generates docs/configuration.md from the schema that validates `radar.config.json`. Run as a
// program it writes the page; a test fails when the page is outdated.
import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../../src/config.ts';

export const command = 'bin/node24 tests/support/write-configuration-page.ts';

type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
};

const pageHead = `# Configuration

Every key of \`radar.config.json\`, written by
\`${command}\` from the schema that validates the file. An
unknown key is an error that names it. \`[]\` stands for each entry of a list; where entries have
several kinds, \`kind\` selects one. [operations.md](operations.md) lists the environment variables,
[providers.md](providers.md) the settings of each provider.

| key | value | default | meaning |
|---|---|---|---|
`;

export function writeConfigurationPage(schema: object): string {
  const rows = new Map<string, string>();
  for (const [key, leaf] of leavesOf(schema as Schema, '')) {
    if (key === '$schema') continue;
    // A key that occurs in several kinds has one row. The row of `kind` lists every value.
    const existingRow = rows.get(key);
    if (existingRow !== undefined) {
      if (key.endsWith('.kind'))
        rows.set(key, existingRow.replace(' |  |', `, ${describeValue(leaf)} |  |`));
      continue;
    }
    const defaultText = 'default' in leaf ? `\`${JSON.stringify(leaf.default)}\`` : '';
    const meaning = (leaf.description ?? '').replaceAll('|', '\\|');
    rows.set(key, `| \`${key}\` | ${describeValue(leaf)} | ${defaultText} | ${meaning} |`);
  }
  return `${pageHead}${[...rows.values()].join('\n')}\n`;
}

function leavesOf(schema: Schema, path: string): (readonly [string, Schema])[] {
  const kinds = schema.anyOf ?? schema.oneOf;
  if (kinds?.some(({ properties }) => properties))
    return kinds.flatMap((kind) => leavesOf(kind, path));
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, inner]) =>
      leavesOf(inner, path === '' ? name : `${path}.${name}`),
    );
  }
  const { items } = schema;
  const hasKeys = items?.properties || items?.anyOf || items?.oneOf;
  return items && hasKeys ? leavesOf(items, `${path}[]`) : [[path, schema]];
}

function describeValue({
  type,
  enum: choices,
  const: constant,
  items,
  minimum,
  maximum,
}: Schema): string {
  const allowedValues = choices ?? (constant === undefined ? null : [constant]);
  if (allowedValues) return allowedValues.map((value) => `\`${value}\``).join(', ');
  const isBound = (bound?: number) => bound !== undefined && Math.abs(bound) < 2 ** 53 - 1;
  const min = isBound(minimum) ? `${minimum}` : '';
  const max = isBound(maximum) ? `${maximum}` : '';
  const range = min || max ? ` ${min}…${max}` : '';
  return `${type === 'array' ? `list of ${items?.type ?? 'values'}s` : (type ?? 'value')}${range}`;
}

if (process.argv[1] === import.meta.filename) {
  const page = new URL('../../docs/configuration.md', import.meta.url);
  writeFileSync(page, writeConfigurationPage(configJsonSchema()));
}
