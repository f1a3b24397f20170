// The architecture rules on the real tree. Each rule is first tested on planted violations, which
// it must find, and on near misses, which it must accept.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingsAboveCeiling, lowerCeilings, readCeilings } from './architecture/ceilings.ts';
import { exceptions, isCovered } from './architecture/exceptions.ts';
import type { Finding, PlantedFiles, Rule } from './architecture/rule.ts';
import { rules } from './architecture/rules.ts';
import { readSource } from './architecture/source.ts';
import { inScope, readTree } from './architecture/tree.ts';

const root = join(import.meta.dirname, '..');
const tree = readTree(root);
const ceilings = readCeilings();

describe.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
  it('reports every planted violation', () => {
    expect(rule.violations.length).toBeGreaterThan(0);
    expect(
      rule.violations.filter((plantedFiles) => findIn(rule, plantedFiles).length === 0),
    ).toEqual([]);
  });

  it('accepts code that is close to a violation', () => {
    expect(rule.nearMisses.length).toBeGreaterThan(0);
    expect(rule.nearMisses.flatMap((plantedFiles) => findIn(rule, plantedFiles))).toEqual([]);
  });

  it('covers enough files of the project', () => {
    expect(inScope(rule, tree).length).toBeGreaterThanOrEqual(rule.atLeast);
  });

  it(`holds: ${rule.description}`, () => {
    const isException = (finding: Finding) =>
      exceptions.some((exception) => isCovered(exception, rule, finding));
    const findings = rule.find(inScope(rule, tree)).filter((finding) => !isException(finding));
    expect(findingsAboveCeiling(rule.name, findings, ceilings)).toEqual([]);
  });
});

describe('the checker', () => {
  it('reads the whole tree with its imports', () => {
    const trackedPaths = execFileSync('git', ['ls-files', 'src/*.ts'], {
      cwd: root,
      encoding: 'utf8',
    });
    const paths = new Set(tree.map(({ path }) => path));
    const missedPaths = trackedPaths.split('\n').filter((path) => path !== '' && !paths.has(path));
    expect(missedPaths).toEqual([]);
    const imports = tree
      .filter(({ path }) => path.startsWith('src/'))
      .flatMap((source) => source.imports);
    expect(imports.length).toBeGreaterThan(100);
  });

  it('has no exception without a finding', () => {
    const staleExceptions = exceptions.filter((exception) => {
      const rule = rules.find(({ name }) => name === exception.rule);
      const findings = rule ? rule.find(inScope(rule, tree)) : [];
      return !rule || !findings.some((finding) => isCovered(exception, rule, finding));
    });
    expect(staleExceptions).toEqual([]);
  });

  it('reports findings above a ceiling and accepts as many as it permits', () => {
    const findings = [1, 2].map((line) => ({ path: 'src/radar/hot/a.ts', line, what: 'x' }));
    expect(findingsAboveCeiling('a', findings, { a: { 'src/radar/hot': 2 } })).toEqual([]);
    expect(findingsAboveCeiling('a', findings, { a: { 'src/radar/hot': 1 } })).toHaveLength(3);
    expect(findingsAboveCeiling('a', findings, { b: { 'src/radar/hot': 2 } })).toHaveLength(2);
  });

  it('records a lower ceiling and refuses a higher total', () => {
    const [rule] = rules.filter(({ name }) => name === 'no literal spread');
    const sources = [readSource('src/radar/hot/a.ts', 'const a = { ...{ b } };')];
    const ceilingOf = (count: number) => ({ 'no literal spread': { 'src/radar/hot': count } });
    const checkedRules = rule ? [rule] : [];
    expect(lowerCeilings(ceilingOf(5), sources, checkedRules)).toEqual(ceilingOf(1));
    expect(() => lowerCeilings(ceilingOf(0), sources, checkedRules)).toThrow('at most 0 allowed');
  });

  it('has ceilings for existing rules only', () => {
    const names = new Set(rules.map(({ name }) => name));
    expect(Object.keys(ceilings).filter((name) => !names.has(name))).toEqual([]);
  });

  it('has one rule of each name', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });
});

function findIn(rule: Rule, plantedFiles: PlantedFiles): Finding[] {
  const sources = Object.entries(plantedFiles).map(([path, text]) => readSource(path, text));
  return rule.find(inScope(rule, sources));
}
