// Returns the name of a capability for operators, in the language of the site.
import type { Language } from '../../kernel/web/language.ts';
import { capabilityLabels } from '../calls/catalog.ts';
import { adminMessages } from './messages/admin.ts';

/** Returns the id for a capability that the catalog does not list. */
export function capabilityName({ language }: { readonly language: Language }, id: string): string {
  const label = capabilityLabels.find(([labelId]) => labelId === id)?.[1];
  return adminMessages(language).capabilityNames[id] ?? label ?? id;
}
