// Reads content from plain text files beside the code: sections with `== name`, one template or one
// row of ` || ` separated columns per line.
import { readFileSync } from 'node:fs';
import { requirePresent } from '../../src/kernel/errors/assert.ts';

export type Sections = ReadonlyMap<string, readonly string[]>;

/** The sections of `demo/world/<path>`. Lines before the first heading are comments. */
export function readSections(path: string): Sections {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of readText(path).split('\n')) {
    if (line.startsWith('== ')) {
      current = [];
      sections.set(line.slice(3).trim(), current);
    } else if (line.trim() !== '') current.push(line.trim());
  }
  return sections;
}

/** The rows of each section, split into columns at `||`. */
export function readRows(path: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  return new Map([...readSections(path)].map(([name, lines]) => [name, lines.map(splitColumns)]));
}

function splitColumns(line: string): readonly string[] {
  return line.split('||').map((column) => column.trim());
}

export function requireSection(sections: Sections, name: string): readonly string[] {
  return requirePresent(sections.get(name), `content section ${name}`);
}

function readText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
