// Builds a chat-completions request in the dialect that the server supports. Also reduces a dialect
// when the server refuses a field.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ModelTask } from '../../kernel/ports/model.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { Dialect } from '../../store/model/model-rate-states.ts';

export const firstDialect: Dialect = {
  format: 'strict_schema',
  limit: 'max_tokens',
  hasTemperature: true,
};

/** The fault of the first reply, for the single repair request. */
export type Repair = { readonly reply: string; readonly problem: string };

/** The parts of a task that are sent. Its validation stays local. */
export type ChatTask = Omit<ModelTask<unknown>, 'check'>;

export type ModelAttempt = {
  readonly model: string;
  readonly task: ChatTask;
  readonly schema: object;
  readonly repair: Repair | null;
};

export function schemaOf(task: ChatTask): object {
  const { $schema: _, ...schema } = z.toJSONSchema(task.shape, { unrepresentable: 'any' });
  return schema;
}

/** Equal for equal tasks in every dialect. */
export function taskHash({ model, task, schema }: ModelAttempt, round: number): string {
  const { step, prompt, input, turn = 0 } = task;
  const identity = [
    model,
    step,
    prompt.id,
    prompt.version,
    input,
    canonicalJson(schema),
    turn,
    round,
  ];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}

type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

const maxRepeatedCharacters = 4_000;

export function buildMessages(attempt: ModelAttempt, { format }: Dialect): readonly Message[] {
  const { task, schema, repair } = attempt;
  const { system } = task.prompt;
  const needsSchemaText = format === 'text' || format === 'json_object' || repair !== null;
  const schemaText = JSON.stringify(schema);
  const schemaPart = `Its schema: ${schemaText}`;
  const formatInstruction = `Answer with one JSON object and nothing else. ${schemaPart}`;
  const firstMessages: readonly Message[] = [
    { role: 'system', content: needsSchemaText ? `${system}\n\n${formatInstruction}` : system },
    { role: 'user', content: task.input },
  ];
  if (repair === null) return firstMessages;
  return [
    ...firstMessages,
    { role: 'assistant', content: repair.reply.slice(0, maxRepeatedCharacters) },
    {
      role: 'user',
      content:
        `That answer cannot be used: ${repair.problem}. ` +
        'Answer once more, whole, as one JSON object of that schema and nothing else.',
    },
  ];
}

/** The repair allows a longer reply, because the first one may have been truncated. */
const repairFactor = 1.5;
/** Additional tokens for models that reason before the reply. */
const thinkingTokens = 256;

export function answerTokensOf({ task, repair }: ModelAttempt): number {
  const { answerTokens } = task.prompt;
  return Math.ceil(answerTokens * (repair === null ? 1 : repairFactor)) + thinkingTokens;
}

export function buildBody(attempt: ModelAttempt, dialect: Dialect): string {
  const { model, task, schema } = attempt;
  const { format, limit, hasTemperature } = dialect;
  const turn = task.turn ?? 0;
  return JSON.stringify({
    model,
    messages: buildMessages(attempt, dialect),
    // A second score needs a temperature above zero, otherwise it repeats the first.
    ...(hasTemperature && { temperature: turn === 0 ? 0 : 0.7 }),
    ...(limit !== null && { [limit]: answerTokensOf(attempt) }),
    ...responseFormat(format, task.prompt.id, schema),
  });
}

function responseFormat(format: Dialect['format'], name: string, schema: object): object {
  if (format === 'text') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const schemaFormat = { name: name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) };
  const strict = format === 'strict_schema' ? strictSchema(schema) : null;
  const json_schema =
    strict === null
      ? { ...schemaFormat, schema }
      : { ...schemaFormat, strict: true, schema: strict };
  return { response_format: { type: 'json_schema', json_schema } };
}

/** Keywords that strict servers refuse. Replies are validated against them locally. */
const unsupportedKeywords = [
  'minLength',
  'maxLength',
  'default',
  'contentEncoding',
  'propertyNames',
];

/** Null for a schema with optional members, which strict servers refuse. */
export function strictSchema(schema: unknown): object | null {
  let isStrict = true;
  const stripKeywords = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(stripKeywords);
    if (typeof node !== 'object' || node === null) return node;
    const { type, properties, required, additionalProperties } = node as Record<string, unknown>;
    if (type === 'object') {
      const names = Object.keys((properties as object | undefined) ?? {});
      const requiredNames = new Set(Array.isArray(required) ? required : []);
      if (additionalProperties !== false || names.some((name) => !requiredNames.has(name))) {
        isStrict = false;
      }
    }
    const allowedEntries = Object.entries(node).filter(
      ([name]) => !unsupportedKeywords.includes(name),
    );
    return Object.fromEntries(allowedEntries.map(([name, value]) => [name, stripKeywords(value)]));
  };
  const strippedNode = stripKeywords(schema);
  return isStrict ? (strippedNode as object) : null;
}

const formats: readonly Dialect['format'][] = [
  'strict_schema',
  'json_schema',
  'json_object',
  'text',
];

const reduceFormat = (format: Dialect['format']) => formats[formats.indexOf(format) + 1] ?? null;

/**
 * After a 400 or 422: the next dialect, chosen by the refusal's text. Null when the refusal has
 * another cause.
 */
export function reduceDialect(dialect: Dialect, refusal: string): Dialect | null {
  const message = refusal.toLowerCase();
  if (dialect.limit !== null && message.includes(dialect.limit)) {
    const limit = dialect.limit === 'max_tokens' ? 'max_completion_tokens' : null;
    return { ...dialect, limit };
  }
  if (dialect.hasTemperature && message.includes('temperature')) {
    return { ...dialect, hasTemperature: false };
  }
  const reducedFormat = reduceFormat(dialect.format);
  const isAboutFormat = /response_format|json_schema|json_object|json schema|structured/.test(
    message,
  );
  // Some servers return only a general error. The response format, the least common field, is then
  // reduced.
  const isGeneralError = /unknown|unsupported|unrecognized|not permitted|extra|invalid/.test(
    message,
  );
  const isFormatRefused = isAboutFormat || (isGeneralError && dialect.format !== 'text');
  return isFormatRefused && reducedFormat !== null ? { ...dialect, format: reducedFormat } : null;
}
