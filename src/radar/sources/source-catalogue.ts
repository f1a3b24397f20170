// The project's catalogue of sources (`editorial/sources.json`): schema, JSON schema and problems.

import { z } from 'zod';
import { parseSourceDefinition, type SourceDefinition, sourceSchema } from './source-settings.ts';

const catalogueSchema = z.strictObject({
  $schema: z.string().optional(),
  sources: z.array(sourceSchema),
});

/** The content of `editorial/schemas/sources.schema.json`. */
export function sourcesJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(catalogueSchema, { io: 'input', unrepresentable: 'any' }),
    title: 'Sources of the radar',
  };
}

export type ParsedCatalogue = {
  readonly sources: readonly SourceDefinition[];
  /** One line each: `sources[3] (arxiv-cs-cl): settings.url: …`, or a repeated id. */
  readonly problems: readonly string[];
};

/** Parses the whole catalogue from parsed JSON. An invalid source does not affect the others. */
export function parseCatalogue(json: unknown): ParsedCatalogue {
  const sources: SourceDefinition[] = [];
  const problems: string[] = [];
  const knownIds = new Set<string>();
  for (const [index, row] of rowsOf(json, problems).entries()) {
    const parsed = parseSourceDefinition(row);
    const location = `sources[${index}]${formatId(row)}`;
    if (parsed.kind === 'invalid') {
      problems.push(...parsed.problems.map((problem) => `${location}: ${problem}`));
    } else if (knownIds.has(parsed.source.id)) {
      problems.push(`${location}: id: used by an earlier source`);
    } else {
      knownIds.add(parsed.source.id);
      sources.push(parsed.source);
    }
  }
  return { sources, problems };
}

function rowsOf(json: unknown, problems: string[]): readonly unknown[] {
  if (typeof json !== 'object' || json === null || !('sources' in json)) {
    problems.push('sources: missing');
    return [];
  }
  for (const key of Object.keys(json)) {
    if (key !== 'sources' && key !== '$schema') problems.push(`${key}: unknown setting`);
  }
  if (Array.isArray(json.sources)) return json.sources;
  problems.push('sources: must be a list');
  return [];
}

function formatId(row: unknown): string {
  if (typeof row !== 'object' || row === null || !('id' in row)) return '';
  return typeof row.id === 'string' ? ` (${row.id})` : '';
}
