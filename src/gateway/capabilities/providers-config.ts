// The `providers` section of `radar.config.json`: who fulfils what, where, and with which key.
// A capability without an entry answers that it is not configured; nothing is guessed.
import { z } from 'zod';

const common = {
  key: z.string().min(1).optional().describe('Sent as the provider asks for it; a secret'),
  timeoutMs: z.int().min(100).max(600_000).default(30_000).describe('For one whole answer'),
  privateHosts: z
    .array(z.string())
    .default([])
    .describe('Private hosts (host:port) that its answers may point to, besides its own address'),
};

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

export const providersSchema = z.strictObject({
  social: z
    .array(z.strictObject({ kind: z.enum(['tikhub']), url, ...common }))
    .default([])
    .describe('Asked in this order; a later one when an earlier one cannot'),
});

export type ProvidersConfig = z.infer<typeof providersSchema>;
