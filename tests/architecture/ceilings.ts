// Ceilings: how many findings of a rule each module still has. A rule without an entry allows none.
// `npm run ceilings` records the current numbers, and refuses a rule whose total has risen.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exceptions, isCovered } from './exceptions.ts';
import type { Finding, Rule } from './rule.ts';
import { rules } from './rules.ts';
import type { Source } from './source.ts';
import { inScope, readTree } from './tree.ts';

/** Findings allowed, by the name of the rule and the module. */
export type Ceilings = Readonly<Record<string, Readonly<Record<string, number>>>>;

const root = join(import.meta.dirname, '../..');
const file = join(import.meta.dirname, 'ceilings.json');

export function readCeilings(): Ceilings {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The findings of each module that has more findings than its ceiling allows. */
export function findingsAboveCeiling(
  rule: string,
  findings: readonly Finding[],
  ceilings: Ceilings,
): readonly string[] {
  return [...Map.groupBy(findings, ({ path }) => moduleOf(path))].flatMap(
    ([module, moduleFindings]) => {
      const allowed = ceilings[rule]?.[module] ?? 0;
      if (moduleFindings.length <= allowed) return [];
      const lines = moduleFindings.map(({ path, line, what }) => `${path}:${line} ${what}`);
      const summary = `${module}: ${moduleFindings.length} findings, at most ${allowed} allowed`;
      return allowed === 0 ? lines : [summary, ...lines];
    },
  );
}

/** `src/radar/stories` for each file below it, `src/kernel`, `tests/api`, `bench`. */
function moduleOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const depth = /^src\/(radar|gateway|store)\//.test(path) ? 3 : 2;
  return folders.slice(0, depth).join('/') || '.';
}

/**
 * The current counts as new ceilings. A module's count can rise when files have moved to it. Throws
 * when the total of a rule has risen.
 */
export function lowerCeilings(
  currentCeilings: Ceilings,
  sources: readonly Source[],
  rules: readonly Rule[],
): Ceilings {
  const entries = rules.flatMap((rule): [string, Record<string, number>][] => {
    const recorded = currentCeilings[rule.name];
    if (!recorded) return [];
    const findings = rule
      .find(inScope(rule, sources))
      .filter((finding) => !exceptions.some((exception) => isCovered(exception, rule, finding)));
    const byModule = Map.groupBy(findings, ({ path }) => moduleOf(path));
    const counts = Object.fromEntries(
      [...byModule].map(([module, findings]) => [module, findings.length] as const).sort(byName),
    );
    const [previous, current] = [sum(recorded), sum(counts)];
    if (current > previous)
      throw new Error(`${rule.name}: ${current} findings in all, at most ${previous} allowed`);
    return [[rule.name, counts]];
  });
  return Object.fromEntries(entries);
}

function byName(a: readonly [string, number], b: readonly [string, number]): number {
  return a[0] < b[0] ? -1 : 1;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

if (import.meta.main) {
  const lowered = lowerCeilings(readCeilings(), readTree(root), rules);
  writeFileSync(file, `${JSON.stringify(lowered, null, 2)}\n`);
  const totals = Object.entries(lowered).map(([rule, counts]) => `${sum(counts)}\t${rule}\n`);
  process.stdout.write(totals.join(''));
}
