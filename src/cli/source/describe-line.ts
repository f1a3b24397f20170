// Describes why a line gave no source: it has several feeds to choose from, or no address could be
// read.

import { formatAttempt, formatReason } from '../../radar/sources/fetch/fetch-warning.ts';
import type { ResolveLineResult } from '../../radar/sources/setup/resolve-line.ts';

type UnresolvedLine = Exclude<ResolveLineResult, { readonly kind: 'source' }>;

const unreadAdvice = 'Use --unread to add the source nevertheless.';

/** One message for the terminal, with the next action. */
export function describeLine(line: string, result: UnresolvedLine): string {
  switch (result.kind) {
    case 'invalid':
      return `"${line}" ${result.problem.en}. See: radar source add --help`;
    case 'choices': {
      const rows = result.candidates.map(
        ({ url, title }) => `  ${url}${title ? `  ${title}` : ''}`,
      );
      const head = `${line} has ${result.candidates.length} feeds. Add one by its address:`;
      return [head, ...rows].join('\n');
    }
    case 'failed': {
      const [first, ...otherAddresses] = result.tried.map(
        (attempt) => `${attempt.url} cannot be read: ${withoutPeriod(formatReason(attempt, 'en'))}`,
      );
      if (otherAddresses.length === 0) return `${first}. ${unreadAdvice}`;
      const rows = result.tried.map(
        (attempt) => `  ${withoutPeriod(formatAttempt(attempt, 'en'))}`,
      );
      return [`${line} has no feed. Tried:`, ...rows, unreadAdvice].join('\n');
    }
  }
}

const withoutPeriod = (text: string) => text.replace(/\.$/, '');
