// The `accounts` section of `radar.config.json`: sign-up, sessions and the free allowance.
import { z } from 'zod';

export const accountsSchema = z.strictObject({
  signup: z
    .enum(['open', 'invite', 'closed'])
    .optional()
    .describe(
      'Permission to create an account. By default open while HOST is loopback and neither a ' +
        'public URL nor TRUST_PROXY is set, closed otherwise',
    ),
  newPerNetwork: z
    .int()
    .min(1)
    .max(100_000)
    .default(10)
    .describe('Accounts that one network may make in 24 hours'),
  signupProofBits: z
    .int()
    .min(0)
    .max(28)
    .default(20)
    .describe(
      'Proof of work of a public open sign-up, in zero bits: 20 bits take two seconds on a ' +
        'slow server core, and each further bit doubles the time; 0: none',
    ),
  idleMinutes: z
    .int()
    .min(0)
    .max(43_200)
    .default(1_440)
    .describe(
      'A session at the console ends after this time without a request; 0: only after 30 days',
    ),
  allowanceCapCny: z
    .int()
    .min(0)
    .max(10_000_000)
    .nullable()
    .default(200)
    .describe(
      'Free allowance of all accounts on one day, CNY, until an operator sets another cap; ' +
        'null: no cap',
    ),
});
