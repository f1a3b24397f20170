// A report's text as a digest may quote it: the desk's own rule of what is no news, so that a story
// never tells what an item does not.
import { removeInstructions } from '../../enrichment/injection/remove-instructions.ts';

export function newsText(text: string): string {
  return removeInstructions(text).text;
}
