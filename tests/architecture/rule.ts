// An architecture rule: its name, the files that it covers, and a check. Each rule has planted
// violations, which it must find, and near misses, which it must accept.
import type { Import, Source } from './source.ts';

export type Finding = {
  readonly path: string;
  readonly line: number;
  /** The violation, in a few words. */
  readonly what: string;
};

/** A small project: path → text. */
export type PlantedFiles = Readonly<Record<string, string>>;

export type Rule = {
  readonly name: string;
  readonly description: string;
  /** Whether the rule covers this file. */
  scope(path: string): boolean;
  /** The minimum number of files in scope. Fewer files mean that `scope` is wrong. */
  readonly atLeast: number;
  find(sources: readonly Source[]): Finding[];
  /** Each example must give at least one finding. */
  readonly violations: readonly PlantedFiles[];
  /** No example may give a finding. */
  readonly nearMisses: readonly PlantedFiles[];
};

/** A rule that checks one file at a time. */
export function eachFile(check: (source: Source) => Finding[]): Rule['find'] {
  return (sources) => sources.flatMap(check);
}

/** A rule about imports. `check` returns the violation of one import, or null. */
export function eachImport(
  check: (path: string, specifier: string, imported: Import) => string | null,
): Rule['find'] {
  return eachFile(({ path, imports }) =>
    imports.flatMap((imported) => {
      const what = imported.specifier && check(path, imported.specifier, imported);
      return what ? [{ path, line: imported.line, what }] : [];
    }),
  );
}
