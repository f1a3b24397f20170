// Formats the lines about access that a start prints, so that an operator sees which areas are
// public.
import type { Config } from '../../config.ts';
import type { SignUpRules } from '../../gateway/accounts/sign-up.ts';
import type { CapToday } from '../../gateway/wallet/credits/allowance-cap.ts';
import { formatCny } from '../../kernel/money.ts';
import { publicHttpUrls } from './reach.ts';

/** Lines for the terminal, with their line ends. */
export function describeAccess(
  config: Config,
  rules: SignUpRules,
  cap: Pick<CapToday, 'amount'>,
): readonly string[] {
  const beginCondition = rules.needsConfirmation ? 'with a confirmed address' : 'at once';
  const capText =
    cap.amount === null
      ? 'without a cap for all accounts together'
      : `at most CNY ${formatCny(cap.amount)} a day for all accounts together`;
  const signUp =
    `Sign-up   ${rules.access}; live keys and the allowance begin ${beginCondition}, ` +
    `${capText}\n`;
  const [url] = publicHttpUrls(config);
  if (url === undefined) return [signUp];
  return [
    signUp,
    `Warning   ${url} is plain http: session cookies are neither Secure nor bound to the host, ` +
      'and some feed clients show https links only\n',
  ];
}
