// Lists all routes of the gateway: paths, methods and handlers.

import type { GatewayContext } from './context.ts';
import type { ApiRequest, GatewayResponse } from './http-response.ts';
import { handleAccount } from './routes/account.ts';
import { handleCall, handleCalls } from './routes/calls.ts';
import { createCapabilityHandler } from './routes/capability.ts';
import { handleCatalog } from './routes/catalog.ts';
import { cancelJob, handleJob, handleJobs } from './routes/jobs.ts';
import { handleMedia } from './routes/media.ts';
import { handleOpenApi } from './routes/openapi.ts';
import { handlePlatforms } from './routes/platforms.ts';
import { handleProblemPage } from './routes/problem-page.ts';
import { handleRelayPrices, handleRelayQuote } from './routes/relay-prices.ts';
import { handleRelayReceipt } from './routes/relay-receipt.ts';
import { handleSdkFile, handleSdkGuide } from './routes/sdk.ts';
import { handleSkill } from './routes/skill.ts';
import { handleStripeWebhook, STRIPE_WEBHOOK_PATH } from './routes/stripe-webhook.ts';
import { handleChatUsage, handleUsage } from './routes/usage.ts';

export type Handler = (context: GatewayContext, request: ApiRequest) => Promise<GatewayResponse>;

export type GatewayRoute = {
  readonly path: string;
  /** Handlers by method; HEAD is GET without its body. */
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>>;
};

export function routesOf({
  capabilities,
}: Pick<GatewayContext, 'capabilities'>): readonly GatewayRoute[] {
  return [
    { path: '/capabilities/catalog', methods: { GET: handleCatalog } },
    { path: '/api/v1/capabilities/catalog', methods: { GET: handleCatalog } },
    { path: '/api/v1/capabilities/social/platforms', methods: { GET: handlePlatforms } },
    ...capabilities.map((capability) => ({
      path: capability.path,
      methods: { [capability.method]: createCapabilityHandler(capability) },
    })),
    { path: '/api/v1/account', methods: { GET: handleAccount } },
    { path: '/api/v1/calls', methods: { GET: handleCalls } },
    { path: '/api/v1/calls/:requestId', methods: { GET: handleCall } },
    { path: '/api/v1/jobs', methods: { GET: handleJobs } },
    { path: '/api/v1/jobs/:id', methods: { GET: handleJob, DELETE: cancelJob } },
    { path: '/api/v1/relay/prices', methods: { GET: handleRelayPrices } },
    { path: '/api/v1/relay/quote', methods: { POST: handleRelayQuote } },
    { path: '/api/v1/relay/receipts/:requestId', methods: { GET: handleRelayReceipt } },
    { path: '/api/v1/usage', methods: { GET: handleUsage } },
    { path: '/api/v1/usage/chat', methods: { GET: handleChatUsage } },
    { path: '/media/:token', methods: { GET: handleMedia } },
    { path: STRIPE_WEBHOOK_PATH, methods: { POST: handleStripeWebhook } },
    { path: '/SKILL.md', methods: { GET: handleSkill } },
    { path: '/sdk', methods: { GET: handleSdkGuide } },
    { path: '/sdk/:file', methods: { GET: handleSdkFile } },
    { path: '/openapi.json', methods: { GET: handleOpenApi } },
    { path: '/problems/:code', methods: { GET: handleProblemPage } },
  ];
}
