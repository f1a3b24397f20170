// The whole API of the gateway on one screen: every address, its methods, and who answers.

import type { GatewayContext } from './context.ts';
import type { Answer, Asked } from './http-response.ts';
import { answerAccount } from './routes/account.ts';
import { answerCall, answerCalls } from './routes/calls.ts';
import { answerCapability } from './routes/capability.ts';
import { answerCatalog } from './routes/catalog.ts';
import { answerJob, cancelJob } from './routes/jobs.ts';
import { answerMedia } from './routes/media.ts';
import { answerOpenApi } from './routes/openapi.ts';
import { answerPlatforms } from './routes/platforms.ts';
import { answerProblemPage } from './routes/problem-page.ts';
import { answerSdkFile, answerSdkGuide } from './routes/sdk.ts';
import { answerSkill } from './routes/skill.ts';
import { answerStripeWebhook, STRIPE_WEBHOOK_PATH } from './routes/stripe-webhook.ts';
import { answerChatUsage, answerUsage } from './routes/usage.ts';

export type Handler = (context: GatewayContext, asked: Asked) => Promise<Answer>;

export type Route = {
  readonly path: string;
  /** By method; HEAD is GET without its body. */
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>>;
};

export function routesOf({ capabilities }: Pick<GatewayContext, 'capabilities'>): readonly Route[] {
  return [
    { path: '/capabilities/catalog', methods: { GET: answerCatalog } },
    { path: '/api/v1/capabilities/catalog', methods: { GET: answerCatalog } },
    { path: '/api/v1/capabilities/social/platforms', methods: { GET: answerPlatforms } },
    ...capabilities.map((capability) => ({
      path: capability.path,
      methods: { [capability.method]: answerCapability(capability) },
    })),
    { path: '/api/v1/account', methods: { GET: answerAccount } },
    { path: '/api/v1/calls', methods: { GET: answerCalls } },
    { path: '/api/v1/calls/:requestId', methods: { GET: answerCall } },
    { path: '/api/v1/jobs/:id', methods: { GET: answerJob, DELETE: cancelJob } },
    { path: '/api/v1/usage', methods: { GET: answerUsage } },
    { path: '/api/v1/usage/chat', methods: { GET: answerChatUsage } },
    { path: '/media/:token', methods: { GET: answerMedia } },
    { path: STRIPE_WEBHOOK_PATH, methods: { POST: answerStripeWebhook } },
    { path: '/SKILL.md', methods: { GET: answerSkill } },
    { path: '/sdk', methods: { GET: answerSdkGuide } },
    { path: '/sdk/:file', methods: { GET: answerSdkFile } },
    { path: '/openapi.json', methods: { GET: answerOpenApi } },
    { path: '/problems/:code', methods: { GET: answerProblemPage } },
  ];
}
