// Response bodies of the gateway, according to the capability contract.
import { z } from 'zod';
import { amount, count, date, livemode, open, requestId, text, time } from './values.ts';

const charge = z
  .object({
    currency: z.literal('CNY'),
    total: amount('What the call cost.'),
    free_quota: amount('Of it, from the daily allowance.'),
    voucher: amount('Of it, from vouchers.'),
    cash: amount('Of it, from the balance.'),
  })
  .describe('What was charged, and from where.');

const usage = z
  .object({
    unit: z.enum(['per_call', 'per_minute', 'per_token']),
    quantity: count('In increments: calls, started seconds, or tokens.'),
    increment: z.enum(['call', 'second', 'token']),
  })
  .describe('How much it was.');

export const success = (data: z.ZodType) =>
  z.object({ request_id: requestId, livemode, data, usage, charge });

export const problem = z.object({
  type: text('Address of a page about this kind of problem.'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: text('What is wrong with this request.'),
  instance: text('Path of the request.'),
  code: open('For programs.', ['invalid_request', 'insufficient_balance', 'max_charge_exceeded']),
  request_id: requestId,
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe('With invalid_request: every field that does not fit, and what to write instead.'),
  retry_after: z
    .int()
    .min(1)
    .optional()
    .describe('Seconds; with 429, and with 503 where trying again can help.'),
  required: amount('With 402: the price.').optional(),
  available: amount('With 402: what there is.').optional(),
  free_quota_resets_at: time('With 402: when the next allowance begins.').optional(),
  quota: open('With quota_exceeded: which one is used up.', ['day', 'month']).optional(),
  quota_resets_at: time('With quota_exceeded: when it begins anew.').optional(),
  budget_resets_at: time('With key_budget_exceeded; null: never.').nullable().optional(),
  original: z
    .object({ request_id: requestId, status: z.int(), url: z.string() })
    .optional()
    .describe('With duplicate_idempotency_key: the first answer.'),
});

/** `result` is the result schema of one capability or of any. */
export const jobOf = (result: z.ZodType) =>
  z.object({
    id: text('Of the job.'),
    capability: z.string(),
    status: open('Its state.', ['queued', 'running', 'succeeded', 'failed', 'expired', 'canceled']),
    created_at: time('When it was accepted.'),
    updated_at: time('When it last came on.'),
    progress: z.number().min(0).max(1).nullable().describe('0 to 1; null: not known.'),
    result: result.nullable().describe('What it made; null until it has succeeded.'),
    result_expired: z.literal(true).optional().describe('The result is not kept any more.'),
    error: problem.nullable().describe('Why it failed or expired.'),
  });

export const jobs = z.object({
  jobs: z.array(jobOf(z.record(z.string(), z.unknown()))),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('For the next page; null on the last one.'),
});

const quota = z.object({
  limit: count('Calls.'),
  used: count('Calls so far.'),
  resets_at: time('When it begins anew.'),
});

export const account = z.object({
  id: z.string(),
  livemode,
  currency: z.literal('CNY'),
  balance: z.object({
    cash: amount('Topped up and not spent.'),
    vouchers: amount('Left on vouchers.'),
    held: amount('Held for calls that run now.'),
    total: amount('What can be spent, without the allowance.'),
  }),
  vouchers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      amount: amount('When it was issued.'),
      remaining: amount('Left.'),
      expires_at: time('Its end; null: none.').nullable(),
    }),
  ),
  free_quota: z.object({
    period: z.literal('daily'),
    amount: amount('Every day.'),
    remaining: amount('Of today.'),
    resets_at: time('Midnight in Shanghai.'),
  }),
  limits: z.object({
    rate: z.object({ q: count('Requests with this key in a window.'), w: count('Seconds.') }),
    quotas: z.object({ day: quota, month: quota }),
  }),
});

const call = z.object({
  request_id: requestId,
  livemode,
  capability: z.string(),
  key: z.object({ id: z.string(), name: z.string().nullable(), last4: z.string().nullable() }),
  status: open('How it stands.', ['running', 'succeeded', 'failed']),
  http_status: z.int().nullable(),
  created_at: time('When it began.'),
  completed_at: time('When it ended; null while it runs.').nullable(),
  idempotency_key: z.string().nullable(),
  usage: usage.nullable(),
  charge: charge.nullable(),
  refunds: z
    .array(
      z.object({
        created_at: time('When it was refunded.'),
        total: amount('What was refunded.'),
        cash: amount('Of it, as cash: at most the cash of the charge.'),
        voucher: amount('Of it, as a voucher.'),
        reason: z.string().nullable(),
      }),
    )
    .describe('Oldest first. The charge stays as it was.'),
});

export const calls = z.object({
  calls: z.array(call).describe('Newest first.'),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export const callWithAnswer = call.extend({
  answer: z
    .object({ status: z.int(), content_type: z.string(), body: z.unknown() })
    .nullable()
    .describe('What was answered; kept for 24 hours.'),
});

export const usageReport = z.object({
  from: date('First day, Asia/Shanghai.'),
  to: date('Last day, inclusive.'),
  group_by: z.enum(['day', 'capability', 'key']),
  rows: z.array(
    z.object({
      group: z.string(),
      calls: count('Started.'),
      succeeded: count('Of them.'),
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
      calls: count('Chat calls that reached a model.'),
      succeeded: count('Of them, those that were answered to the end.'),
      prompt_tokens: count('As the model’s provider counts them, or estimated.'),
      completion_tokens: count('As the model’s provider counts them, or estimated.'),
    }),
  ),
});

const fen = (description: string) => z.int().min(0).describe(`${description} In fen.`);

export const catalog = z.object({
  version: count('Of the price list.'),
  currency: z.literal('CNY'),
  free_quota: z.object({
    summary: z.string(),
    cents: fen('A day.'),
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
      price_cents_per_1000: fen('Of a thousand calls.').optional(),
      price_per_1000: z.string().optional(),
      price_cents: fen('Of a call, rounded up.').optional(),
      price: z.string().optional(),
      price_cents_per_minute: fen('Of a minute of audio.').optional(),
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
      healthy: z.boolean().describe('False: a call would be refused right now, in whole or part.'),
      reason: z.string().nullable().describe('Why it is not healthy; null when it is.'),
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

const tokenClass = open('Class of tokens.', ['input', 'cache_read', 'output', 'request']);
const tokenPrice = amount('Of a million tokens; of one call for request and tool classes.');

export const modelPrices = z.object({
  version: z.int().nullable().describe('Null: no model has a price.'),
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
          from: count('The price holds from so many input tokens on.'),
          price: tokenPrice,
        }),
      ),
    }),
  ),
});

export const modelQuoteRequest = z.strictObject({
  path: text('Of the relay, such as /relay/v1/messages.'),
  body: z.looseObject({}).describe('The request as it would be sent.'),
});

export const modelQuote = z.object({
  model: z.string(),
  price_version: z.int().nullable().describe('Null: the call is free.'),
  bounds: z
    .object({
      ratio: z.number().describe('Tokens a byte.'),
      input_tokens: count('At most.'),
      output_tokens: count('At most, for each response.'),
      responses: count('How many.'),
      tool_calls: z
        .record(z.string(), z.int())
        .describe('Of each tool that the provider runs, at most.'),
    })
    .nullable(),
  lines: z.array(
    z.object({
      class: tokenClass,
      from: z.int().optional(),
      tokens: z.int().optional(),
      price: tokenPrice,
    }),
  ),
  hold: amount('What would be held.'),
  ceiling: amount('The call never costs more.'),
});

export const modelReceipt = z.object({
  request_id: requestId,
  key: text('Id of the key.'),
  dialect: open('Format of the request; null: free or running.', ['chat']).nullable(),
  model_requested: z.string().nullable(),
  price_version: z.int(),
  held: amount('What was held.'),
  extended: amount('Of it, what a raise of the hold added.'),
  charge: amount('What the call cost.'),
  ceiling_applied: z.boolean().describe('The price of the requested model limited the charge.'),
  shortfall: amount('What the usage cost beyond the hold. It was not charged.'),
  counted: open('Who counted the tokens; null: nothing was counted.', [
    'upstream',
    'estimated',
    'contradictory',
  ]).nullable(),
  ended: open('How the response ended.', ['completed', 'client_left', 'failed', 'running']),
  cut: open('Why a response was cut off; null: it was not.', ['balance']).nullable(),
  skipped_events: count('Events of the upstream that could not be read.'),
  lines: z.array(
    z.object({
      class: tokenClass,
      tokens: count('Or calls, for request and tool classes.'),
      price: tokenPrice,
      amount: text('Exact, CNY as decimal text with up to 14 decimals.'),
      attempt: z.int().describe('Number of the attempt that is charged.'),
    }),
  ),
  attempts: z.array(
    z.object({
      n: z.int().min(1),
      model: z.string(),
      upstream: z.string().nullable(),
      class_of_failure: open('Why it failed; null: it did not.', [
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
      tries: count('Requests to this upstream.'),
      started_at: time('When it began.'),
      first_token_ms: z.number().nullable(),
      usage: z
        .object({ input: count('Tokens.'), output: count('Tokens.') })
        .nullable()
        .describe('Of the attempt that is charged.'),
      continuation: z.boolean().describe('It continued a response that broke off.'),
      billed: z.boolean(),
    }),
  ),
});
