// Source packs (`editorial/packs/*.json`): definitions for one subject. Each has the public
// document in which its address was seen. Addresses can stop working, so `radar pack check`
// fetches them.
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { listLayered, parseLayered } from '../../../kernel/files/layered-folder.ts';
import { parseSourceDefinition, type SourceDefinition } from '../source-settings.ts';

const localized = z.strictObject({ en: z.string().min(1), 'zh-CN': z.string().min(1) });

const packSchema = z.strictObject({
  $schema: z.string().optional(),
  name: localized,
  about: localized,
  editorial: z
    .string()
    .min(1)
    .describe(
      'The editorial folder for which the pack is made, relative to the folder that contains packs',
    ),
  sources: z
    .array(
      z.looseObject({
        seenIn: z
          .url({ protocol: /^https$/ })
          .describe('The public document in which the address was seen'),
      }),
    )
    .min(1),
});

export type PackedSource = {
  readonly definition: SourceDefinition;
  readonly seenIn: string;
};

export type SourcePack = {
  readonly id: string;
  readonly name: Readonly<Record<'en' | 'zh-CN', string>>;
  readonly about: Readonly<Record<'en' | 'zh-CN', string>>;
  readonly editorial: string;
  /** The path of that editorial folder. */
  readonly folder: string;
  readonly sources: readonly PackedSource[];
};

/** The content of `editorial/schemas/packs.schema.json`. */
export function packsJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(packSchema, { io: 'input' }), title: 'A pack of sources' };
}

/** All packs of an editorial folder and of its base folders, by id. */
export async function readPacks(folder: string): Promise<readonly SourcePack[]> {
  const files = await listLayered(folder, 'packs');
  return files.map((file) => {
    const { name, about, editorial, sources } = parseLayered(file, packSchema);
    return {
      id: basename(file.path, '.json'),
      name,
      about,
      editorial,
      folder: resolve(dirname(file.path), '..', editorial),
      sources: sources.map(({ seenIn, ...json }) => ({
        definition: parsePackedSource(file.path, json),
        seenIn,
      })),
    };
  });
}

/** Omits a category hint that is none of the radar's categories. */
export function withKnownCategory(
  definition: SourceDefinition,
  categories: readonly string[],
): SourceDefinition {
  const { categoryHint, ...otherSettings } = definition;
  return categoryHint !== undefined && categories.includes(categoryHint)
    ? definition
    : otherSettings;
}

function parsePackedSource(
  path: string,
  json: Readonly<Record<string, unknown>>,
): SourceDefinition {
  const parsed = parseSourceDefinition(json);
  if (parsed.kind === 'source') return parsed.source;
  throw new Fault('invalid_request', `${path}: ${String(json.id)}: ${parsed.problems.join('; ')}`);
}
