// An item's text as a digest may quote it. Texts that enrichment excludes are excluded here too,
// so a story never has content that its item lacks.
import { removeInstructions } from '../../enrichment/injection/remove-instructions.ts';

export function newsText(text: string): string {
  return removeInstructions(text).text;
}
