// Writes the JSON schemas of the enrichment's editorial files, from the zod schemas that validate
// these files. Tests compare the written schemas with the zod schemas.
import { writeFile } from 'node:fs/promises';
import { editorialFiles, editorialJsonSchema } from '../src/radar/enrichment/editorial-files.ts';
import { promptsJsonSchema } from '../src/radar/enrichment/prompts/prompt-files.ts';

const folder = new URL('../editorial/', import.meta.url);
for (const name of Object.keys(editorialFiles) as (keyof typeof editorialFiles)[]) {
  const { file, schema } = editorialJsonSchema(name);
  await writeFile(new URL(file, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
await writeFile(
  new URL('schemas/prompts.schema.json', folder),
  `${JSON.stringify(promptsJsonSchema(), null, 2)}\n`,
);
