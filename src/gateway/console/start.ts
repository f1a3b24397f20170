// The first page of the console: how to make a first call.
import { pageHead } from '../../kernel/desk/desk-page.ts';
import type { ConsoleAnswer, ConsoleContext } from './console-context.ts';

export async function startPage({ words }: ConsoleContext): Promise<ConsoleAnswer> {
  return { kind: 'page', title: words.start, body: pageHead(words.start, null) };
}
