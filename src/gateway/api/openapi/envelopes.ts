// Defines the schemas of the gateway's response bodies, according to the capability contract.
import { z } from 'zod';
import { allDialects } from '../../relay/dialects/all-dialects.ts';
import { partClasses } from '../../relay/prices/token-classes.ts';
import { amount, count, date, livemode, openEnum, requestId, text, time } from './values.ts';

const charge = z
  .object({
    currency: z.literal('CNY'),
    total: amount('Charge of the call.'),
    free_quota: amount('Part that the daily allowance paid.'),
    voucher: amount('Part that vouchers paid.'),
    cash: amount('Part that cash paid.'),
  })
  .describe('Charge of the call, by the balances that paid it.');

const usage = z
  .object({
    unit: z.enum(['per_call', 'per_minute', 'per_token']),
    quantity: count('Number of units: calls, seconds (rounded up), or tokens.'),
    increment: z.enum(['call', 'second', 'token']),
  })
  .describe('Charged quantity.');

/** The body of a successful call with this data. */
export const success = (data: z.ZodType) =>
  z.object({ request_id: requestId, livemode, data, usage, charge });

export const problem = z.object({
  type: text('Address of a page about this kind of problem.'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: text('Description of the error in this request.'),
  instance: text('Path of the request.'),
  code: openEnum('Error code for programs.', [
    'invalid_request',
    'insufficient_balance',
    'max_charge_exceeded',
  ]),
  request_id: requestId,
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe('With invalid_request: at most twenty invalid fields, and what to write instead.'),
  retry_after: z
    .int()
    .min(1)
    .optional()
    .describe('Seconds until the next attempt; with 429, and with 503 where a retry can help.'),
  required: amount('With 402: price of the call.').optional(),
  available: amount('With 402: amount that can be spent.').optional(),
  free_quota_resets_at: time('With 402: start of the next allowance.').optional(),
  quota: openEnum('With quota_exceeded: period of the exhausted quota.', [
    'day',
    'month',
  ]).optional(),
  quota_resets_at: time('With quota_exceeded: start of the next period.').optional(),
  budget_resets_at: time(
    'With key_budget_exceeded: start of the next budget period; null when there is none.',
  )
    .nullable()
    .optional(),
  original: z
    .object({ request_id: requestId, status: z.int(), url: z.string() })
    .optional()
    .describe('With duplicate_idempotency_key: the first response.'),
});

/** `result` is the result schema of one capability or of any. */
export const jobOf = (result: z.ZodType) =>
  z.object({
    id: text('Identifier of the job.'),
    capability: z.string(),
    status: openEnum('State of the job.', [
      'queued',
      'running',
      'succeeded',
      'failed',
      'expired',
      'canceled',
    ]),
    created_at: time('Time of acceptance.'),
    updated_at: time('Time of the last change.'),
    progress: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Completed part, 0 to 1; null when unknown.'),
    result: result.nullable().describe('Result of the job; null until it has succeeded.'),
    result_expired: z.literal(true).optional().describe('The result has expired.'),
    error: problem.nullable().describe('Reason of the failure or expiry.'),
  });

export const jobs = z.object({
  jobs: z.array(jobOf(z.record(z.string(), z.unknown()))),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('Cursor of the next page; null on the last page.'),
});

const quota = z.object({
  limit: count('Maximum number of calls.'),
  used: count('Number of calls so far.'),
  resets_at: time('Start of the next period.'),
});

export const account = z.object({
  id: z.string(),
  livemode,
  currency: z.literal('CNY'),
  balance: z.object({
    cash: amount('Unspent top-ups.'),
    vouchers: amount('Unspent part of all vouchers.'),
    held: amount('Held for running calls.'),
    total: amount('Amount that can be spent, without the allowance.'),
  }),
  vouchers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      amount: amount('Original amount.'),
      remaining: amount('Unspent amount.'),
      expires_at: time('Expiry; null when there is none.').nullable(),
    }),
  ),
  free_quota: z.object({
    period: z.literal('daily'),
    amount: amount('Allowance of a day.'),
    remaining: amount('Unspent allowance of today.'),
    resets_at: time('Start of the next day in Shanghai.'),
  }),
  limits: z.object({
    rate: z.object({
      q: count('Requests with this key per window.'),
      w: count('Length of the window in seconds.'),
    }),
    quotas: z.object({ day: quota, month: quota }),
  }),
});

const call = z.object({
  request_id: requestId,
  livemode,
  capability: z.string(),
  key: z.object({ id: z.string(), name: z.string().nullable(), last4: z.string().nullable() }),
  status: openEnum('State of the call.', ['running', 'succeeded', 'failed']),
  http_status: z.int().nullable(),
  created_at: time('Start.'),
  completed_at: time('End; null while the call runs.').nullable(),
  idempotency_key: z.string().nullable(),
  usage: usage.nullable(),
  charge: charge.nullable(),
  refunds: z
    .array(
      z.object({
        created_at: time('Time of the refund.'),
        total: amount('Refunded amount.'),
        cash: amount('Part refunded as cash; at most the cash of the charge.'),
        voucher: amount('Part refunded as a voucher.'),
        reason: z.string().nullable(),
      }),
    )
    .describe('Refunds, oldest first. They do not change `charge`.'),
});

export const calls = z.object({
  calls: z.array(call).describe('Newest first.'),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export const callWithResponse = call.extend({
  answer: z
    .object({ status: z.int(), content_type: z.string(), body: z.unknown() })
    .nullable()
    .describe(
      'Response of the call; stored for 24 hours. Of a relay call without an Idempotency-Key, ' +
        'only the usage is stored.',
    ),
});

export const usageReport = z.object({
  from: date('First day, Asia/Shanghai.'),
  to: date('Last day, inclusive.'),
  group_by: z.enum(['day', 'capability', 'key']),
  rows: z.array(
    z.object({
      group: z.string(),
      calls: count('Number of started calls.'),
      succeeded: count('Number of successful calls.'),
      charge,
    }),
  ),
});

export const chatUsageReport = z.object({
  from: date('First day, Asia/Shanghai.'),
  to: date('Last day, inclusive.'),
  group_by: z.enum(['day', 'model', 'key']),
  rows: z.array(
    z.object({
      group: z.string(),
      calls: count('Number of calls that reached a model.'),
      succeeded: count('Number of calls with a complete response.'),
      prompt_tokens: count('Tokens reported by the provider, or an estimate.'),
      completion_tokens: count('Tokens reported by the provider, or an estimate.'),
    }),
  ),
});

const fen = (description: string) => z.int().min(0).describe(`${description} In fen.`);

export const catalog = z.object({
  version: count('Version of the price list.'),
  currency: z.literal('CNY'),
  free_quota: z.object({
    summary: z.string(),
    cents: fen('Allowance of a day.'),
    period: z.literal('daily'),
    display: z.string(),
  }),
  buckets: z.array(
    z.object({ id: z.string(), name: z.string(), summary: z.string(), wallet_debit: z.boolean() }),
  ),
  skus: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      summary: z.string(),
      bucket: z.string(),
      endpoint: z.string(),
      unit: z.enum(['per_call', 'per_minute']),
      priced: z.boolean(),
      actions: z.array(z.string()).optional(),
      price_cents_per_1000: fen('Price of a thousand calls.').optional(),
      price_per_1000: z.string().optional(),
      price_cents: fen('Price of a call, rounded up.').optional(),
      price: z.string().optional(),
      price_cents_per_minute: fen('Price of a minute of audio.').optional(),
      price_per_minute: z.string().optional(),
      billing_increment_seconds: z.int().optional(),
    }),
  ),
  capabilities: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      endpoint: z.string(),
      availability: z.enum(['live', 'coming_soon', 'available']),
      key: z.enum(['sk', 'ak']),
      sku: z.string().nullable(),
      configured: z.boolean(),
      healthy: z.boolean().describe('False when a call, or a part of it, would be refused now.'),
      reason: z.string().nullable().describe('Reason when `healthy` is false, otherwise null.'),
    }),
  ),
  integrations: z.array(
    z.object({ id: z.string(), availability: z.string(), url: z.string().nullable() }),
  ),
});

export const platforms = z.object({
  platforms: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      aliases: z.array(z.string()),
      actions: z.array(z.string()),
    }),
  ),
});

const tokenClass = openEnum('Class of tokens.', ['input', 'cache_read', 'output', 'request']);
const tokenPrice = amount('Price of a million tokens; for classes request and tool: of one call.');

const variant = text('Service tier of the price; absent for the standard tier.');

export const modelPrices = z.object({
  version: z.int().nullable().describe('Version of the prices; null when no model has a price.'),
  currency: z.literal('CNY'),
  unit: z.literal('million_tokens'),
  models: z.array(
    z.object({
      id: z.string(),
      max_input: z.int().nullable(),
      max_output: z.int().nullable(),
      prices: z.array(
        z.object({
          class: tokenClass,
          from: count('Number of input tokens from which the price applies.'),
          variant: variant.optional(),
          price: tokenPrice,
        }),
      ),
    }),
  ),
});

export const modelQuoteRequest = z.strictObject({
  path: text('Path of the relay endpoint, such as /relay/v1/messages.').meta({
    pattern: `^/(relay/)?v1(${allDialects.map(({ path }) => path).join('|')})$`,
  }),
  body: z.looseObject({}).describe('Body of the planned request.'),
});

export const modelQuote = z.object({
  model: z.string(),
  price_version: z.int().nullable().describe('Version of the prices; null when the call is free.'),
  bounds: z
    .object({
      ratio: z.number().describe('Assumed tokens per byte.'),
      input_tokens: count('Maximum number of input tokens.'),
      output_tokens: count('Maximum number of output tokens per response.'),
      responses: count('Number of responses.'),
      tool_calls: z
        .record(z.string(), z.int())
        .describe('Maximum number of calls of each tool that the provider runs.'),
      images: count('Number of images in the request.'),
      pages: count('Pages of all documents; 100 for a document that cannot be read.'),
      audio_seconds: count('Seconds of audio in the request, rounded up.'),
    })
    .nullable(),
  lines: z.array(
    z.object({
      class: tokenClass,
      from: z.int().optional(),
      variant: variant.optional(),
      tokens: z.int().optional(),
      price: tokenPrice,
    }),
  ),
  hold: amount('Hold of the call.'),
  ceiling: amount('Maximum charge, also of a stream whose hold is raised while it runs.'),
});

export const modelReceipt = z.object({
  request_id: requestId,
  key: text('Identifier of the key.'),
  dialect: openEnum('Format of the request; null while the call runs.', [
    'chat',
    'responses',
    'messages',
    'embeddings',
  ]).nullable(),
  model_requested: z.string().nullable(),
  price_version: z.int(),
  held: amount('Hold of the call.'),
  extended: amount('Part of the hold that was added while the call ran.'),
  charge: amount('Charge of the call.'),
  ceiling_applied: z
    .boolean()
    .describe('True when the price of the requested model limited the charge.'),
  shortfall: amount('Price of usage beyond the hold. It was not charged.'),
  counted: openEnum('Origin of the token counts; null when nothing was counted.', [
    'upstream',
    'estimated',
    'contradictory',
  ]).nullable(),
  ended: openEnum('Ending of the response.', ['completed', 'client_left', 'failed', 'running']),
  cut: openEnum('Reason why the response was cut off; null when it was not.', [
    'balance',
  ]).nullable(),
  skipped_events: count('Number of unreadable events of the upstream.'),
  lines: z.array(
    z.object({
      class: tokenClass,
      tokens: count('Number of tokens; for classes request and tool: of calls.'),
      price: tokenPrice,
      amount: text('Exact amount, CNY as decimal text with up to 14 decimals.'),
      attempt: z.int().describe('Number of the charged attempt.'),
    }),
  ),
  attempts: z.array(
    z.object({
      n: z.int().min(1),
      model: z.string(),
      upstream: z.string().nullable(),
      class_of_failure: openEnum('Class of the failure; null when the attempt succeeded.', [
        'busy',
        'broken',
        'reset',
        'silent',
        'account',
        'unknown_model',
        'too_long',
        'filtered',
        'request',
      ]).nullable(),
      tries: count('Number of requests to this upstream.'),
      started_at: time('Start.'),
      first_token_ms: z.number().nullable(),
      usage: z
        .object({
          input: count('Number of input tokens.'),
          output: count('Number of output tokens.'),
          counted: openEnum('Origin of the numbers.', [
            'upstream',
            'estimated',
            'contradictory',
          ]).optional(),
          ...Object.fromEntries(
            partClasses.map((name) => [
              name,
              count(`Part of class ${name}; absent when it is zero.`).optional(),
            ]),
          ),
        })
        .nullable()
        .describe('Usage of the attempt; null when it sent no part of the response.'),
      continuation: z.boolean().describe('True when the attempt continued a broken response.'),
      billed: z.boolean(),
    }),
  ),
});
