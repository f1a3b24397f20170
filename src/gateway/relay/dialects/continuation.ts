// Functions with which all dialects continue a broken stream: which requests can continue, and the
// request of the next attempt. Relay contract, 3.4.
import { isRecord } from '../is-record.ts';
import type { ModelRequest } from './dialect.ts';

const MAX_BODY_CHARACTERS = 1024 * 1024;

/** Larger bodies are not kept while their stream runs. */
export const isKeepable = ({ text }: Pick<ModelRequest, 'text'>) =>
  text.length <= MAX_BODY_CHARACTERS;

/**
 * True for plain text. Text that follows a schema can be continued only where the model accepts a
 * prefill.
 */
export function isPlainFormat(format: unknown): boolean {
  const type = isRecord(format) && format.type;
  return type === false || type === 'text';
}

const QUOTED_CHARACTERS = 200;

/** Anthropic's recommended words for continuing without a prefill. */
export const continueInstruction = (delivered: string) =>
  'Your previous response was interrupted and ended with ' +
  `"${delivered.slice(-QUOTED_CHARACTERS)}". ` +
  'Continue from where you left off, without any preamble and without repeating anything.';

/** Builds the turns that continue a response, in the form that all dialects share. */
export function continuationTurns(delivered: string, isPrefill: boolean): readonly object[] {
  // Providers refuse a prefill that ends with white space.
  const text = isPrefill ? delivered.trimEnd() : delivered;
  const turn = { role: 'assistant', content: text };
  if (isPrefill) return [turn];
  return [turn, { role: 'user', content: continueInstruction(delivered) }];
}

/** Returns the JSON text of a member that is present in the request. */
export function memberText(
  { text, members }: Pick<ModelRequest, 'text' | 'members'>,
  name: string,
): string {
  const span = members.find((member) => member.name === name);
  return text.slice(span?.valueStart, span?.valueEnd);
}

/** Returns the JSON text of a list with additional entries. */
export function appendEntries(original: string, entries: readonly object[]): string {
  return `${original.slice(0, original.lastIndexOf(']'))},${JSON.stringify(entries).slice(1)}`;
}
