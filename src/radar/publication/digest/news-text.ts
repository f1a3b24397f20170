// A report's text as a digest may quote it. The rule of enrichment about text that is no news
// applies, so that a story never has content that its item lacks.
import { removeInstructions } from '../../enrichment/injection/remove-instructions.ts';

export function newsText(text: string): string {
  return removeInstructions(text).text;
}
