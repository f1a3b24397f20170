// The written exceptions: one per file and rule, each with its reason. An exception that excuses
// nothing any more fails the test, so the list can only be as long as it must be.
import type { Finding, Rule } from './rule.ts';

export type Exception = {
  /** The name of the rule. */
  readonly rule: string;
  /** The file, exactly. */
  readonly path: string;
  /** Part of the finding; absent, every finding of the rule in that file is excused. */
  readonly what?: string;
  readonly because: string;
};

export const exceptions: readonly Exception[] = [];

/** Whether an exception speaks of this finding. */
export function excuses(exception: Exception, rule: Rule, finding: Finding): boolean {
  return (
    exception.rule === rule.name &&
    exception.path === finding.path &&
    finding.what.includes(exception.what ?? '')
  );
}
