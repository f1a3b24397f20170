// Splits the tokens of a call into disjoint token classes. Relay contract, 2.1.
import type { TokenUsage } from '../token-usage.ts';

export const tokenClasses = [
  'input',
  'cache_read',
  'cache_write',
  'cache_write_long',
  'input_audio',
  'input_image',
  'output',
  'reasoning',
  'output_audio',
  'output_image',
  'request',
] as const;

/** Calls of a tool that the provider runs itself. */
type ToolClass = `tool:${string}`;

export type TokenClass = (typeof tokenClasses)[number] | ToolClass;

const classOrder = new Map<string, number>(tokenClasses.map((name, index) => [name, index]));

/** Defines the order of classes in lists: input, output, requests, tools. */
export const compareClasses = (a: string, b: string): number =>
  (classOrder.get(a) ?? tokenClasses.length) - (classOrder.get(b) ?? tokenClasses.length) ||
  (a < b ? -1 : a > b ? 1 : 0);

type ModelClass = { readonly model: string; readonly class: string };

/** Orders by model, then by class. */
export const compareModelClasses = (a: ModelClass, b: ModelClass): number =>
  a.model === b.model ? compareClasses(a.class, b.class) : a.model < b.model ? -1 : 1;

const TOOL_CLASS = /^tool:[a-z][a-z0-9_]{0,39}$/;

export const isTokenClass = (text: string): text is TokenClass =>
  (tokenClasses as readonly string[]).includes(text) || TOOL_CLASS.test(text);

/** Lines of these classes count calls, and their price is for one call. */
export const isPerCall = (name: string): boolean => name === 'request' || name.startsWith('tool:');

export type ClassCount = { readonly class: TokenClass; readonly tokens: number };

type ClassField = readonly [
  TokenClass,
  Exclude<keyof TokenUsage, 'variant' | 'toolCalls' | 'isContradictory'>,
];

/** Classes of the input, with their fields in the usage. */
const inputParts = [
  ['cache_read', 'cacheRead'],
  ['cache_write', 'cacheWrite'],
  ['cache_write_long', 'cacheWriteLong'],
  ['input_audio', 'inputAudio'],
  ['input_image', 'inputImage'],
] as const satisfies readonly ClassField[];

const outputParts = [
  ['reasoning', 'reasoning'],
  ['output_audio', 'outputAudio'],
  ['output_image', 'outputImage'],
] as const satisfies readonly ClassField[];

const parts = [...inputParts, ...outputParts];

/** Classes of tokens that are part of the input or of the output. */
export const partClasses = parts.map(([name]) => name);

/** Returns the reported parts that are not zero, by class. */
export const partsOf = (usage: TokenUsage): Readonly<Record<string, number>> =>
  Object.fromEntries(
    parts.map(([name, field]) => [name, usage[field]] as const).filter(([, tokens]) => tokens > 0),
  );

/**
 * Returns the token classes of a call, one `request`, and the priced tools. A part without a price
 * counts as plain input or output. The input classes therefore add up to the total input, and the
 * output classes to the total output.
 */
export function classesOf(
  usage: TokenUsage,
  isPriced: (name: TokenClass) => boolean,
): readonly ClassCount[] {
  return [
    ...splitTotal('input', usage.prompt, inputParts, usage, isPriced),
    ...splitTotal('output', usage.completion, outputParts, usage, isPriced),
    { class: 'request', tokens: 1 },
    ...Object.entries(usage.toolCalls).flatMap(([tool, calls]) => {
      const name = `tool:${tool}` as const;
      return calls > 0 && isPriced(name) ? [{ class: name, tokens: calls }] : [];
    }),
  ];
}

function splitTotal(
  baseClass: 'input' | 'output',
  total: number,
  parts: readonly ClassField[],
  usage: TokenUsage,
  isPriced: (name: TokenClass) => boolean,
): ClassCount[] {
  let remaining = total;
  const counts: ClassCount[] = [];
  for (const [name, field] of parts) {
    // Reported parts above their total are limited, so that nothing is charged twice.
    const tokens = Math.min(remaining, usage[field]);
    if (tokens === 0 || !isPriced(name)) continue;
    counts.push({ class: name, tokens });
    remaining -= tokens;
  }
  return remaining > 0 ? [{ class: baseClass, tokens: remaining }, ...counts] : counts;
}
