// Handles GET /api/v1/calls and /api/v1/calls/{request_id}: the account's calls in the key's mode,
// with their responses while these are stored.

import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import { formatCny } from '../../../kernel/money.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import { chargeOf } from '../../calls/envelope.ts';
import { listKeys } from '../../keys/change-keys.ts';
import type { Key } from '../../keys/key.ts';
import { type CallRefund, findRefunds } from '../../wallet/credits/refund-call.ts';
import { findCall, type LedgerCall, listCalls } from '../../wallet/history/read-calls.ts';
import type { GatewayContext } from '../context.ts';
import {
  type ApiRequest,
  type GatewayResponse,
  privateJson,
  wireTimeOrNull,
} from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';
import { admitReader } from './admit-reader.ts';

export const callsQuery = z.strictObject({
  cursor: z.string().min(1).max(200).optional(),
  limit: wholeNumber(1, 100, 20),
});

export async function handleCalls(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { db } = context;
  const { accountId, livemode } = (await admitReader(context, request)).key;
  const { cursor, limit } = readQuery(request.query, callsQuery);
  const page = await listCalls(db, { accountId, livemode, cursor: cursor ?? null, limit });
  if (page === null)
    throw new Fault(
      'invalid_request',
      'The query parameter "cursor" is invalid: send next_cursor unchanged.',
    );
  const keysById = await keysOf(context, accountId);
  const ids = page.calls.map(({ requestId }) => requestId);
  const refunds = await findRefunds(db, { accountId, livemode }, ids);
  return privateJson({
    calls: page.calls.map((call) => toWireCall(call, keysById, refunds)),
    has_more: page.nextCursor !== null,
    next_cursor: page.nextCursor,
  });
}

export async function handleCall(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { world, db } = context;
  const { accountId, livemode } = (await admitReader(context, request)).key;
  readQuery(request.query, noParameters);
  const { requestId = '' } = request.params;
  const call = await findCall(world, db, { accountId, livemode, requestId });
  if (call === null) throw new Fault('not_found', 'There is no such call.');
  const keysById = await keysOf(context, accountId);
  const refunds = await findRefunds(db, { accountId, livemode }, [requestId]);
  // For a job, the response is the 202 that accepted it.
  const response =
    (await context.calls.jobs.findAccepted({ accountId, livemode, requestId })) ?? call.response;
  return privateJson({
    ...toWireCall(call, keysById, refunds),
    answer: response && {
      status: response.status,
      content_type: response.contentType,
      body: bodyOf(response),
    },
  });
}

type KeysById = ReadonlyMap<string, Key>;

async function keysOf({ db }: GatewayContext, accountId: string): Promise<KeysById> {
  return new Map((await listKeys(db, accountId)).map((key) => [key.id, key]));
}

type Refunds = ReadonlyMap<string, readonly CallRefund[]>;

function toWireCall(call: LedgerCall, keysById: KeysById, refunds: Refunds) {
  const key = keysById.get(call.keyId);
  return {
    request_id: call.requestId,
    livemode: call.livemode,
    capability: call.capability,
    key: { id: call.keyId, name: key?.name ?? null, last4: key?.last4 ?? null },
    status: statusOf(call.state),
    http_status: call.status,
    created_at: toWireTime(call.createdAt),
    completed_at: wireTimeOrNull(call.completedAt),
    idempotency_key: call.idempotencyKey,
    usage: call.usage === null ? null : publicUsage(call.usage),
    charge: call.charge && chargeOf(call.charge),
    refunds: (refunds.get(call.requestId) ?? []).map(({ at, reason, cash, voucher }) => ({
      created_at: toWireTime(at),
      total: formatCny(cash + voucher),
      cash: formatCny(cash),
      voucher: formatCny(voucher),
      reason,
    })),
  };
}

/** The usage without the details that the receipt of a relay call has. Null: nothing remains. */
function publicUsage(usage: object) {
  const { relay: _relay, tokens: _tokens, ...shared } = usage as Record<string, unknown>;
  return Object.keys(shared).length === 0 ? null : shared;
}

/** The parsed body of a JSON response; the text of any other response. */
function bodyOf({
  contentType,
  body,
}: {
  readonly contentType: string;
  readonly body: Buffer;
}): unknown {
  const text = body.toString();
  return /^application\/(problem\+)?json\b/.test(contentType) ? JSON.parse(text) : text;
}

function statusOf(state: LedgerCall['state']): 'running' | 'succeeded' | 'failed' {
  if (state === 'held' || state === 'unknown') return 'running';
  return state === 'captured' ? 'succeeded' : 'failed';
}
