// Builds the public catalog: capabilities, prices and the free allowance, as specified. Prices come
// from the current price list; only `price_cents` is rounded, upwards.
import { formatCny, MICRO_FEN_PER_FEN, type MicroFen } from '../../kernel/money.ts';
import type { Capability } from '../capabilities/capability.ts';
import type { Switches } from '../capabilities/switches.ts';
import { DAILY_ALLOWANCE } from '../wallet/ledger/batch-time.ts';
import type { PriceList } from './prices.ts';

const buckets = [
  {
    id: 'free_sdk',
    name: 'Free tools',
    summary: 'Free of charge for every key.',
    wallet_debit: false,
  },
  {
    id: 'free_promo_svc',
    name: 'Free for now',
    summary: 'Services of our own, free while they are introduced.',
    wallet_debit: false,
  },
  {
    id: 'paid_relay',
    name: 'Paid by the call',
    summary: 'Drawn from the daily allowance first, then from vouchers, then from the balance.',
    wallet_debit: true,
  },
] as const;

/** An exact amount with at least two decimals: ¥0.036, ¥36.00. */
function displayAmount(amount: MicroFen): string {
  const [integerPart = '0', decimals = ''] = formatCny(amount).split('.');
  return `¥${integerPart}.${decimals.padEnd(2, '0')}`;
}

/** Whole fen, rounded up. */
const roundUpToFen = (amount: MicroFen) =>
  Number((amount + MICRO_FEN_PER_FEN - 1n) / MICRO_FEN_PER_FEN);

/** Capabilities with a price belong to the bucket that is paid from the wallet. */
function selectBucket(price: MicroFen, freeBucket: 'free_sdk' | 'free_promo_svc') {
  return price > 0n ? 'paid_relay' : freeBucket;
}

const skusOf = ({ prices }: PriceList) => [
  {
    id: 'social_data',
    name: 'Social data',
    summary: 'One public post by its link, or public posts by keyword, on eleven platforms.',
    bucket: selectBucket(prices.social_data, 'free_promo_svc'),
    endpoint: 'POST /api/v1/capabilities/social',
    unit: 'per_call',
    priced: prices.social_data > 0n,
    actions: ['content', 'search'],
    price_cents_per_1000: roundUpToFen(prices.social_data * 1000n),
    price_per_1000: displayAmount(prices.social_data * 1000n),
    price_cents: roundUpToFen(prices.social_data),
    price: displayAmount(prices.social_data),
  },
  {
    id: 'transcribe',
    name: 'Transcription',
    summary: 'What is said in a social video, word for word. Billed by the length of its audio.',
    bucket: selectBucket(prices.transcribe, 'free_promo_svc'),
    endpoint: 'POST /api/v1/capabilities/transcribe',
    unit: 'per_minute',
    priced: prices.transcribe > 0n,
    price_cents_per_minute: roundUpToFen(prices.transcribe * 60n),
    price_per_minute: displayAmount(prices.transcribe * 60n),
    billing_increment_seconds: 1,
  },
  {
    id: 'svc_image',
    name: 'Text to image',
    summary: 'An image that a prompt describes.',
    bucket: selectBucket(prices.svc_image, 'free_promo_svc'),
    endpoint: 'POST /api/v1/capabilities/svc-image',
    unit: 'per_call',
    priced: prices.svc_image > 0n,
    price_cents: roundUpToFen(prices.svc_image),
    price: displayAmount(prices.svc_image),
  },
  {
    id: 'ocr',
    name: 'Image OCR',
    summary: 'The text in images, with its position.',
    bucket: selectBucket(prices.ocr, 'free_sdk'),
    endpoint: 'POST /api/v1/capabilities/ocr',
    unit: 'per_call',
    priced: prices.ocr > 0n,
    price_cents: roundUpToFen(prices.ocr),
    price: displayAmount(prices.ocr),
  },
];

/**
 * Id, name, request, availability, kind of key and SKU of each capability. Specification,
 * "Availability labels of capabilities".
 */
export const capabilityLabels = [
  ['social', 'Social data', 'POST /api/v1/capabilities/social', 'live', 'sk', 'social_data'],
  [
    'transcribe',
    'Transcription',
    'POST /api/v1/capabilities/transcribe',
    'live',
    'sk',
    'transcribe',
  ],
  ['ocr', 'Image OCR', 'POST /api/v1/capabilities/ocr', 'live', 'sk', 'ocr'],
  ['svc-image', 'Text to image', 'POST /api/v1/capabilities/svc-image', 'live', 'sk', 'svc_image'],
  ['svc-video', 'Text to video', 'POST /api/v1/capabilities/svc-video', 'live', 'sk', null],
  ['chat', 'Chat completions', 'POST /relay/v1/chat/completions', 'live', 'ak', null],
  ['search', 'Web search', 'GET /api/v1/search/engine/search', 'live', 'ak', null],
  ['text-llm', 'Text models', 'POST /relay/v1/chat/completions', 'coming_soon', 'sk', null],
] as const;

/** Whether the chat relay serves a capability. Such a capability has a price per model. */
export const isRelayed = ([, , request]: (typeof capabilityLabels)[number]): boolean =>
  request.includes(' /relay/');

/** When the integration exists, `availability` is `available` and `url` is set. */
export type Integration = {
  readonly id: 'sdk' | 'mcp' | 'skill';
  readonly availability: 'coming_soon' | 'available';
  readonly url: string | null;
};

export type CapabilityStatus = { readonly configured: boolean; readonly healthy: boolean };

export type ExplainedStatus = CapabilityStatus & {
  /** The reason in words for customers; null while the capability is healthy. */
  readonly reason: string | null;
};

const reasons = {
  notOffered: 'Not offered on this service yet.',
  switchedOff: 'Switched off at the moment.',
  providerDown: 'Its provider does not answer at the moment. Try again shortly.',
} as const;
const notOffered: ExplainedStatus = {
  configured: false,
  healthy: false,
  reason: reasons.notOffered,
};

/**
 * The status of each capability by id. `chat` is the relay, on its own port. A switched-off
 * capability is not healthy.
 */
export async function readStatuses(
  capabilities: readonly Capability[],
  switches: Switches,
  chat: CapabilityStatus | undefined,
): Promise<ReadonlyMap<string, ExplainedStatus>> {
  await switches.refresh();
  const statuses = capabilities.map(async (capability) => {
    const configured = (await capability.missing()) === null;
    const { healthy, reason } = capability.health();
    return [capability.id, { configured, healthy, reason }] as const;
  });
  const relay = chat && { configured: chat.configured, healthy: chat.healthy, reason: undefined };
  const allStatuses = [
    ...(await Promise.all(statuses)),
    ...(relay ? [['chat', relay] as const] : []),
  ];
  return new Map(
    allStatuses.map(([id, { configured, healthy, reason }]): [string, ExplainedStatus] => {
      if (!configured) return [id, notOffered];
      if (switches.isOff('capability', id)) {
        return [id, { configured, healthy: false, reason: reasons.switchedOff }];
      }
      return [
        id,
        { configured, healthy, reason: healthy ? null : (reason ?? reasons.providerDown) },
      ];
    }),
  );
}

export function catalogOf(
  list: PriceList,
  statuses: ReadonlyMap<string, ExplainedStatus>,
  integrations: readonly Integration[],
): object {
  return {
    version: list.version,
    currency: 'CNY',
    free_quota: {
      summary: 'Paid calls draw on this first, every day from midnight in Shanghai.',
      cents: Number(DAILY_ALLOWANCE / MICRO_FEN_PER_FEN),
      period: 'daily',
      display: `${displayAmount(DAILY_ALLOWANCE)} / day`,
    },
    buckets,
    skus: skusOf(list),
    capabilities: capabilityLabels.map(([id, name, endpoint, availability, key, sku]) => {
      const { configured, healthy, reason } = statuses.get(id) ?? notOffered;
      // An unconfigured capability cannot be called, so its label must not be `live`.
      const label = configured ? availability : 'coming_soon';
      return {
        id,
        name,
        endpoint,
        availability: label,
        key,
        sku,
        configured,
        healthy,
        reason,
      };
    }),
    integrations,
  };
}
