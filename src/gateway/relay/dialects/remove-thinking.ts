// Edit 5 of the relay contract, 1.2: removes from a request the thinking that the relay closed
// itself, because no provider accepts the relay's signature.
import { isRecord } from '../is-record.ts';
import { readEntries, readMembers, removeEntries, type TextSpan } from './body-members.ts';
import type { ModelRequest } from './dialect.ts';

/** The prefix of the signature of thinking that the relay closed. */
export const RELAY_SIGNATURE = 'relay:';

/**
 * Returns the JSON text of `messages` without the relay's thinking; other characters are copied.
 */
export function messagesWithoutRelayThinking({ text, members }: ModelRequest): string {
  const messages = members.find(({ name }) => name === 'messages');
  if (messages === undefined) return '[]';
  const { valueStart, valueEnd } = messages;
  if (!text.includes(`"${RELAY_SIGNATURE}`)) return text.slice(valueStart, valueEnd);
  let copiedUntil = valueStart;
  let remainingText = '';
  for (const turn of readEntries(text, valueStart)) {
    const content = contentOf(text, turn);
    if (content === null) continue;
    remainingText += text.slice(copiedUntil, content.start);
    const blocks = readEntries(text, content.start);
    remainingText += removeEntries(text, content, blocks, (block) => isRelayThinking(text, block));
    copiedUntil = content.end;
  }
  return remainingText + text.slice(copiedUntil, valueEnd);
}

/** Returns the span of a turn's content blocks; null: the turn has no list of blocks. */
function contentOf(text: string, turn: TextSpan): TextSpan | null {
  if (text[turn.start] !== '{') return null;
  const content = readMembers(text, turn.start).find(({ name }) => name === 'content');
  if (content === undefined || text[content.valueStart] !== '[') return null;
  return { start: content.valueStart, end: content.valueEnd };
}

function isRelayThinking(text: string, { start, end }: TextSpan): boolean {
  const block: unknown = JSON.parse(text.slice(start, end));
  if (!isRecord(block) || block.type !== 'thinking') return false;
  return String(block.signature).startsWith(RELAY_SIGNATURE);
}
