// Defines the `topUps` section of `radar.config.json`: the hosted checkout and the allowed amounts.
// Without a checkout, top-ups are unavailable and the console shows a notice.
import { z } from 'zod';

const checkout = z.strictObject({
  kind: z.literal('stripe').default('stripe').describe('The format of the checkout'),
  url: z
    .url({ protocol: /^https?$/ })
    .transform((text) => text.replace(/\/+$/, ''))
    .default('https://api.stripe.com')
    .describe('The base address of the checkout'),
  key: z.string().min(1).describe('A secret: the API key for making and reading checkout sessions'),
  webhookSecrets: z
    .array(z.string().min(8))
    .min(1)
    .max(5)
    .describe('Secrets that webhooks are signed with; several while one is being replaced'),
  timeoutMs: z
    .int()
    .min(100)
    .max(60_000)
    .default(10_000)
    .describe('Time limit for one whole response'),
});

const cny = z.int().min(1).max(1_000_000);

export const topUpsSchema = z
  .strictObject({
    checkout: checkout.optional(),
    minimumCny: cny.default(10).describe('The minimum amount of a top-up, in CNY'),
    maximumCny: cny.default(50_000).describe('The maximum amount of a top-up, in CNY'),
    suggestedCny: z
      .array(cny)
      .max(8)
      .default([50, 100, 500, 1000])
      .describe('Suggested amounts; amounts outside the limits are left out'),
  })
  .refine(({ minimumCny, maximumCny }) => minimumCny <= maximumCny, {
    message: 'minimumCny is above maximumCny',
  });

export type TopUpsConfig = z.output<typeof topUpsSchema>;
export type CheckoutConfig = z.output<typeof checkout>;
