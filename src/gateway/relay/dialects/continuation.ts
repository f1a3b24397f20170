// Shared by dialects for the continuation of a broken stream: which requests can continue, and the
// request of the next attempt. Relay contract, 3.4.
import { isRecord } from '../is-record.ts';
import type { ModelRequest } from './dialect.ts';

const BODY_MAX_CHARACTERS = 1024 * 1024;

/** Larger bodies are not kept while their stream runs. */
export const isKeepable = ({ text }: Pick<ModelRequest, 'text'>) =>
  text.length <= BODY_MAX_CHARACTERS;

/** Text that follows a schema continues in the middle only where the model accepts a prefill. */
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

/** The turns that continue a response, as every dialect writes them. */
export function continuationTurns(delivered: string, isPrefill: boolean): readonly object[] {
  // A last turn that ends with white space is refused as a prefill.
  const text = isPrefill ? delivered.trimEnd() : delivered;
  const turn = { role: 'assistant', content: text };
  if (isPrefill) return [turn];
  return [turn, { role: 'user', content: continueInstruction(delivered) }];
}

/** The JSON text of a list member of the request. */
export function memberText({ text, members }: ModelRequest, name: string): string {
  const list = members.find((member) => member.name === name);
  return text.slice(list?.valueStart, list?.valueEnd);
}

/** The JSON text of a list with further entries. */
export function appendTo(original: string, added: readonly object[]): string {
  return `${original.slice(0, original.lastIndexOf(']'))},${JSON.stringify(added).slice(1)}`;
}
