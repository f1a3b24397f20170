// Handles GET /api/v1/relay/receipts/{request_id}: the hold, the charge with its lines, and the
// attempts of one relay call. A receipt has no text of the conversation. Relay contract, 3.6.
import { Fault } from '../../../kernel/errors/fault.ts';
import { formatCny } from '../../../kernel/money.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import type { World } from '../../../kernel/world.ts';
import {
  formatLineAmount,
  type ReceiptUsage,
  type RelayReceipt,
  readRelayReceipt,
} from '../../wallet/history/read-relay-receipt.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, privateJson } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';
import { admitReader } from './admit-reader.ts';

export async function handleRelayReceipt(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { db, world } = context;
  const { accountId, livemode } = (await admitReader(context, request)).key;
  readQuery(request.query, noParameters);
  const { requestId = '' } = request.params;
  const read = () => readRelayReceipt(db, { accountId, livemode, requestId });
  let receipt = await read();
  // The relay records a free call after its response, so the record of a new call is awaited.
  for (
    let index = 0;
    index < MAX_READS && isPending(receipt) && isNew(world, requestId);
    index += 1
  ) {
    await world.clock.sleep(READ_PAUSE_MS);
    receipt = await read();
  }
  if (receipt === null) throw new Fault('not_found', 'There is no such call of the relay.');
  return privateJson(receiptOnWire(receipt));
}

const READ_PAUSE_MS = 100;
const MAX_READS = 10;
const NEW_MS = 3_000;

const isPending = (receipt: RelayReceipt | null) =>
  receipt === null || (receipt.held === 0n && receipt.ended === 'running');

/** A request id begins with the time of its request. */
function isNew({ clock }: World, requestId: string): boolean {
  const [, hex] = /^req_([0-9a-f]{12})[0-9a-f]{12}$/.exec(requestId) ?? [];
  return hex !== undefined && Math.abs(clock.now() - Number.parseInt(hex, 16)) < NEW_MS;
}

function receiptOnWire(receipt: RelayReceipt): object {
  const { lines, attempts } = receipt;
  return {
    request_id: receipt.requestId,
    key: receipt.keyId,
    dialect: receipt.dialect,
    model_requested: receipt.model,
    price_version: receipt.priceVersion,
    held: formatCny(receipt.held),
    extended: formatCny(receipt.extended),
    charge: formatCny(receipt.charge),
    ceiling_applied: receipt.isCeilingApplied,
    shortfall: formatCny(receipt.shortfall),
    counted: receipt.counted,
    ended: receipt.ended,
    cut: receipt.cut,
    skipped_events: receipt.skippedEvents,
    lines: lines.map((line) => ({
      class: line.class,
      tokens: line.tokens,
      price: formatCny(line.price),
      amount: formatLineAmount(line),
      attempt: line.attempt,
    })),
    attempts: attempts.map((attempt, index) => ({
      n: index + 1,
      model: attempt.model,
      upstream: attempt.upstream,
      class_of_failure: attempt.failure,
      tries: attempt.tries,
      started_at: toWireTime(attempt.startedAt),
      first_token_ms: attempt.firstTokenMs,
      usage: usageOnWire(attempt.usage),
      continuation: attempt.isContinuation,
      billed: attempt.isBilled,
    })),
  };
}

const usageOnWire = (usage: ReceiptUsage | null) =>
  usage === null
    ? null
    : {
        input: usage.input,
        output: usage.output,
        ...(usage.counted !== undefined && { counted: usage.counted }),
        ...usage.parts,
      };
