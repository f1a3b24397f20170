// Reads, checks and edits the request fields that several dialects share.

import { Fault } from '../../../kernel/errors/fault.ts';
import { parseJson } from '../../../kernel/http/read-json-body.ts';
import { isRecord } from '../is-record.ts';
import { variantOf } from '../token-usage.ts';
import { editMembers, readMembers } from './body-members.ts';
import type { ModelRequest } from './dialect.ts';

export type RequestBody = ModelRequest['body'];

const MAX_MODEL_LENGTH = 200;

/** Throws a Fault `invalid_request` that names the field, or states why the body has no fields. */
export function readCommonFields(text: string): Omit<ModelRequest, 'choices' | 'wantsUsage'> {
  const body = parseJson(text);
  if (!isRecord(body)) throw new Fault('invalid_request', 'The body must be a JSON object.');
  const { model, stream } = body;
  if (typeof model !== 'string' || model === '' || model.length > MAX_MODEL_LENGTH) {
    throw invalidField('model', 'must be the id of a model');
  }
  // U+0000: no model name contains it, and PostgreSQL cannot store it.
  if (model.includes('\0')) throw invalidField('model', 'must not contain the character U+0000');
  if (isPresent(stream) && typeof stream !== 'boolean') {
    throw invalidField('stream', 'must be true or false');
  }
  const isStream = stream === true;
  return { model, isStream, body, text, members: readMembers(text), warnings: [] };
}

export const invalidField = (param: string, problem: string) =>
  new Fault('invalid_request', `The field "${param}" ${problem}.`, { members: { param } });

export const isPresent = (value: unknown) => value !== undefined && value !== null;

/** Reads the turns of a conversation, which are objects with a role. */
export function readTurns(body: RequestBody): readonly unknown[] {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw invalidField('messages', 'must be a list of messages');
  }
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message) || !('role' in message)) {
      throw invalidField(`messages[${index}]`, 'must be an object with a role');
    }
  }
  return messages;
}

/**
 * Throws when the body lacks the required field of this dialect and contains the required field of
 * another dialect.
 */
export function refuseOtherDialect(body: RequestBody, requiredField: string): void {
  if (isPresent(body[requiredField])) return;
  const otherField = requiredField === 'messages' ? 'input' : 'messages';
  if (!isPresent(body[otherField])) return;
  const endpoints =
    otherField === 'input'
      ? '/relay/v1/responses or /relay/v1/embeddings'
      : '/relay/v1/chat/completions or /relay/v1/messages';
  throw invalidField(otherField, `belongs to another endpoint: send this request to ${endpoints}`);
}

/** Returns NaN for a value that is not a number. */
export const toNumber = (value: unknown): number =>
  typeof value === 'number' ? value : Number.NaN;

export function checkTokenLimit(body: RequestBody, name: string): void {
  const limit = body[name];
  if (!isPresent(limit)) return;
  if (!(Number.isSafeInteger(toNumber(limit)) && toNumber(limit) >= 1)) {
    throw invalidField(name, 'must be a whole number of at least 1');
  }
}

/**
 * Throws a Fault `invalid_request` for a limit above `maxOutput`. The price covers only responses
 * of at most this length.
 */
export function refuseLongOutput(
  { body }: Pick<ModelRequest, 'body'>,
  names: readonly string[],
  maxOutput: number | undefined,
): void {
  if (maxOutput === undefined) return;
  for (const name of names) {
    const limit = body[name];
    if (isPresent(limit) && !(toNumber(limit) <= maxOutput)) {
      throw invalidField(name, `must be at most ${maxOutput}`);
    }
  }
}

/** Fields of every dialect that change a provider's price. Relay contract, 2.2. */
const unpricedFields = ['speed', 'inference_geo'];

/**
 * Throws a Fault `unpriced_variant` when an unpriced field or a field of `names` is present, and
 * also when the service tier has no price. `variants`: service tiers with prices.
 */
export function refuseFields(
  { body }: Pick<ModelRequest, 'body'>,
  names: readonly string[],
  variants: ReadonlySet<string>,
): void {
  const presentName = [...unpricedFields, ...names].find((name) => isPresent(body[name]));
  if (presentName !== undefined) throw unpricedVariant(presentName, 'so it cannot be used');
  const tier = body.service_tier;
  if (isPresent(tier) && typeof tier !== 'string')
    throw invalidField('service_tier', 'must be a text');
  const variant = variantOf(tier);
  if (variant === '' || variants.has(variant)) return;
  throw unpricedVariant('service_tier', 'so leave it out or send "default"');
}

const unpricedVariant = (param: string, consequence: string) =>
  new Fault(
    'unpriced_variant',
    `The field "${param}" has a value without a price here, ${consequence}.`,
    {
      members: { param },
    },
  );

/** Returns the body with the upstream's model id and the given values, without `max_charge`. */
export function editBody(
  { text, members, model }: ModelRequest,
  upstreamModel: string,
  values: Readonly<Record<string, string>> = {},
): string {
  const isOtherId = model !== upstreamModel;
  const editedValues = isOtherId ? { ...values, model: JSON.stringify(upstreamModel) } : values;
  return editMembers(text, members, { values: editedValues, removed: ['max_charge'] });
}
