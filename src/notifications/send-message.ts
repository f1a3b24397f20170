// Sends one message to one channel, by mail or through the guarded network. `readResponse` then
// interprets the response by the rules of the channel's kind.
import { messageOf } from '../kernel/errors/fault.ts';
import { isPermanentRefusal, type Smtp } from '../kernel/net/smtp.ts';
import type { World } from '../kernel/world.ts';
import type { ChannelFields, ChannelKind, ChannelRequest } from './channel-kind.ts';
import { renderMail } from './kinds/email.ts';
import type { NotificationMessage } from './message.ts';
import { type DeliveryResult, readResponse } from './read-response.ts';
import { failureTexts } from './reason-texts.ts';

export type SendInput = {
  readonly kind: ChannelKind;
  readonly fields: ChannelFields;
  readonly message: NotificationMessage;
  /** The same on every try, so that receivers can discard duplicates. */
  readonly id: string;
  readonly eventAt: number;
  readonly subscriptionId: string;
  /** The service's id of the message to edit; null: a new message. */
  readonly remoteId: string | null;
  readonly signal?: AbortSignal;
};

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 65_536;
const MAX_REASON_CHARACTERS = 300;

export async function sendMessage(
  world: World,
  smtp: Smtp | null,
  input: SendInput,
): Promise<DeliveryResult> {
  if (input.kind.render === null) return sendMail(smtp, input);
  if (input.remoteId !== null && input.kind.edit !== undefined) {
    const editResult = await sendRendering(world, input, 0);
    // If the message cannot be edited any more, a new message is sent.
    if (editResult.kind !== 'refused') return editResult;
  }
  const newMessage = { ...input, remoteId: null };
  const fullResult = await sendRendering(world, newMessage, 0);
  if (fullResult.kind !== 'too_long') return fullResult;
  const shorterResult = await sendRendering(world, newMessage, 1);
  return shorterResult.kind === 'too_long'
    ? { kind: 'refused', status: shorterResult.status, reason: shorterResult.reason }
    : shorterResult;
}

/**
 * Sends the longest rendering that fits. `skip`: number of fitting renderings to skip before it.
 */
async function sendRendering(
  world: World,
  input: SendInput,
  skip: number,
): Promise<DeliveryResult> {
  const request = renderRequest(input, { at: world.clock.now(), skip });
  const outcome = await world.net.request({
    url: request.url,
    method: request.method ?? 'POST',
    body: request.body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'content-radar-notifications',
      ...request.headers,
    },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
    isPolite: false,
    ...(input.signal !== undefined && { signal: input.signal }),
  });
  return readResponse(input.kind, outcome, world.clock.now());
}

function renderRequest(
  { kind, fields, message, id, eventAt, remoteId }: SendInput,
  { at, skip }: { readonly at: number; readonly skip: number },
): ChannelRequest {
  const context = { fields, id, at, eventAt, skip };
  if (remoteId !== null && kind.edit !== undefined) {
    return kind.edit(message, { ...context, remoteId });
  }
  return kind.render?.(message, context) ?? { url: '', body: '' };
}

async function sendMail(smtp: Smtp | null, input: SendInput): Promise<DeliveryResult> {
  if (smtp === null) {
    return { kind: 'broken', status: null, reason: failureTexts.noMailServer };
  }
  const { message, fields, id, subscriptionId } = input;
  try {
    await smtp.send(renderMail(message, { fields, id }, `${subscriptionId}.content-radar`));
    return { kind: 'delivered', status: 250, remoteId: null };
  } catch (error) {
    const { responseCode } = error as { responseCode?: unknown };
    const status = typeof responseCode === 'number' ? responseCode : null;
    // A server's refusal may contain the recipient's address.
    const reason = `E-mail: ${messageOf(error).replaceAll(/[^\s<>]+@[^\s<>]+/g, '…')}`.slice(
      0,
      MAX_REASON_CHARACTERS,
    );
    if (isPermanentRefusal(error)) return { kind: 'refused', status, reason };
    const isUnsure = status === null && mayHaveArrived(error);
    return { kind: 'retry', status, reason, waitMs: null, isUnsure };
  }
}

/** Errors of name resolution, sign-in and TLS, which happen before a message is sent. */
const connectErrorCodes: ReadonlySet<unknown> = new Set(['EDNS', 'EAUTH', 'ETLS']);

/** False: the message was not sent, because the connection failed before. */
function mayHaveArrived(error: unknown): boolean {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  return syscall !== 'connect' && !connectErrorCodes.has(code);
}
