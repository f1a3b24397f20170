// A question in the chat-completions format, in the dialect that its server understands; and how a
// dialect is lowered when the server says that it does not know a field.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Question } from '../../kernel/ports/model.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { Dialect } from '../../store/model/model-rate-states.ts';

export const firstDialect: Dialect = {
  format: 'strict_schema',
  limit: 'max_tokens',
  hasTemperature: true,
};

/** What was wrong with the first answer, for the one repair. */
export type Repair = { readonly answer: string; readonly problem: string };

/** All of a question that is sent; its guard rail stays here. */
export type Sendable = Omit<Question<unknown>, 'check'>;

export type Asking = {
  readonly model: string;
  readonly question: Sendable;
  readonly schema: object;
  readonly repair: Repair | null;
};

export function schemaOf(question: Sendable): object {
  const { $schema: _, ...schema } = z.toJSONSchema(question.shape, { unrepresentable: 'any' });
  return schema;
}

/** The same for the same question, whatever dialect it is asked in. */
export function questionHash({ model, question, schema }: Asking, round: number): string {
  const { step, prompt, input, turn = 0 } = question;
  const asked = [model, step, prompt.id, prompt.version, input, canonicalJson(schema), turn, round];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

const mostRepeated = 4_000;

export function messagesOf(asking: Asking, { format }: Dialect): readonly Message[] {
  const { question, schema, repair } = asking;
  const { system } = question.prompt;
  const isTold = format === 'text' || format === 'json_object' || repair !== null;
  const said = JSON.stringify(schema);
  const form = `Answer with one JSON object and nothing else. Its schema: ${said}`;
  const first: readonly Message[] = [
    { role: 'system', content: isTold ? `${system}\n\n${form}` : system },
    { role: 'user', content: question.input },
  ];
  if (repair === null) return first;
  return [
    ...first,
    { role: 'assistant', content: repair.answer.slice(0, mostRepeated) },
    {
      role: 'user',
      content:
        `That answer cannot be used: ${repair.problem}. ` +
        'Answer once more, whole, as one JSON object of that schema and nothing else.',
    },
  ];
}

/** Where the first answer was cut off or too long, the second may be longer. */
const repairFactor = 1.5;
/** What models that think before they answer need on top. */
const thinkingTokens = 256;

export function answerTokensOf({ question, repair }: Asking): number {
  const { answerTokens } = question.prompt;
  return Math.ceil(answerTokens * (repair === null ? 1 : repairFactor)) + thinkingTokens;
}

export function bodyOf(asking: Asking, dialect: Dialect): string {
  const { model, question, schema } = asking;
  const { format, limit, hasTemperature } = dialect;
  const turn = question.turn ?? 0;
  return JSON.stringify({
    model,
    messages: messagesOf(asking, dialect),
    // A second opinion that is sure to repeat the first is none.
    ...(hasTemperature && { temperature: turn === 0 ? 0 : 0.7 }),
    ...(limit !== null && { [limit]: answerTokensOf(asking) }),
    ...responseFormat(format, question.prompt.id, schema),
  });
}

function responseFormat(format: Dialect['format'], name: string, schema: object): object {
  if (format === 'text') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const given = { name: name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) };
  const strict = format === 'strict_schema' ? strictSchema(schema) : null;
  const json_schema =
    strict === null ? { ...given, schema } : { ...given, strict: true, schema: strict };
  return { response_format: { type: 'json_schema', json_schema } };
}

/** Keywords that strict servers refuse; the answer is checked for them here all the same. */
const notStrict = ['minLength', 'maxLength', 'default', 'contentEncoding', 'propertyNames'];

/** Null: a schema with optional members, which strict servers do not take. */
export function strictSchema(schema: unknown): object | null {
  let isStrict = true;
  const strip = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(strip);
    if (typeof node !== 'object' || node === null) return node;
    const { type, properties, required, additionalProperties } = node as Record<string, unknown>;
    if (type === 'object') {
      const names = Object.keys((properties as object | undefined) ?? {});
      const needed = new Set(Array.isArray(required) ? required : []);
      if (additionalProperties !== false || names.some((name) => !needed.has(name))) {
        isStrict = false;
      }
    }
    const kept = Object.entries(node).filter(([name]) => !notStrict.includes(name));
    return Object.fromEntries(kept.map(([name, value]) => [name, strip(value)]));
  };
  const stripped = strip(schema);
  return isStrict ? (stripped as object) : null;
}

const formats: readonly Dialect['format'][] = [
  'strict_schema',
  'json_schema',
  'json_object',
  'text',
];

const lowerFormat = (format: Dialect['format']) => formats[formats.indexOf(format) + 1] ?? null;

/**
 * After a 400 or 422: what to try instead, by what the refusal names. Null: the refusal is about
 * something else.
 */
export function lowerDialect(dialect: Dialect, refusal: string): Dialect | null {
  const said = refusal.toLowerCase();
  if (dialect.limit !== null && said.includes(dialect.limit)) {
    const limit = dialect.limit === 'max_tokens' ? 'max_completion_tokens' : null;
    return { ...dialect, limit };
  }
  if (dialect.hasTemperature && said.includes('temperature')) {
    return { ...dialect, hasTemperature: false };
  }
  const lower = lowerFormat(dialect.format);
  const isAboutFormat = /response_format|json_schema|json_object|json schema|structured/.test(said);
  // Some say no more than that they do not understand: then the rarest field is to blame.
  const isVague = /unknown|unsupported|unrecognized|not permitted|extra|invalid/.test(said);
  const isBlamed = isAboutFormat || (isVague && dialect.format !== 'text');
  return isBlamed && lower !== null ? { ...dialect, format: lower } : null;
}
