// Builds the JSON bodies of the webhook events: a type, a time, and ids with which the receiver
// requests further data. The bodies contain no secret and no call result.

import { formatCny, type MicroFen } from '../../kernel/money.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';

/** Events that an account can subscribe to. */
export const webhookEvents = ['job.finished', 'balance.low', 'budget.reached'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

type EventHeader = { readonly now: number; readonly livemode: boolean };

const formatBody = (type: string, { now, livemode }: EventHeader, data: object) =>
  JSON.stringify({ type, timestamp: toWireTime(now), livemode, data });

export type FinishedJob = {
  readonly id: string;
  readonly requestId: string;
  readonly capability: string;
  readonly status: string;
  /** Path at the gateway. */
  readonly path: string;
};

export function jobFinishedBody(
  event: EventHeader,
  { requestId, path, ...job }: FinishedJob,
): string {
  return formatBody('job.finished', event, { job: { ...job, request_id: requestId, url: path } });
}

export function balanceLowBody(
  event: EventHeader,
  { total, below }: { readonly total: MicroFen; readonly below: MicroFen },
): string {
  const balance = { total: formatCny(total), below: formatCny(below), currency: 'CNY' };
  return formatBody('balance.low', event, { balance });
}

export function budgetReachedBody(
  event: EventHeader,
  budget: {
    readonly keyId: string;
    readonly keyName: string;
    readonly last4: string;
    readonly period: string;
    readonly budget: MicroFen;
    readonly spent: MicroFen;
    readonly percent: 80 | 100;
  },
): string {
  const { keyId, keyName, last4, period, percent } = budget;
  return formatBody('budget.reached', event, {
    key: { id: keyId, name: keyName, last4 },
    budget: {
      period,
      percent,
      currency: 'CNY',
      amount: formatCny(budget.budget),
      spent: formatCny(budget.spent),
    },
  });
}

export const testEventBody = (event: EventHeader): string =>
  formatBody('test', event, { message: 'This is a test of a webhook. Nothing has happened.' });
