// An item in the selected change log: the public item without its reason, as a flat object of JSON
// scalars. The snapshot and its changes omit the reason.
import type { PublicItem } from './item.ts';

export type SelectedItem = Omit<PublicItem, 'reason'>;

export function toSelectedItem(item: PublicItem): Record<string, unknown> {
  const { reason: _reason, ...publicFields } = item;
  return publicFields;
}

/** Parses an item of the change log. Only `toSelectedItem` writes it, so its shape is known. */
export function fromSelectedItem(json: Record<string, unknown>): PublicItem {
  return { ...(json as SelectedItem), reason: null };
}
