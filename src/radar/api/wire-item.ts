// An item on the wire: feed contract, "Item". It is rendered once and cached with the item, because
// most responses repeat most items.
import { hash } from 'node:crypto';
import { toWireTime } from '../../kernel/time/calendar.ts';
import type { PublicItem } from '../publication/item.ts';

export type Site = {
  /** Absolute address of this radar, without a trailing slash. */
  readonly url: string;
  readonly name: string;
  /** Addresses of the other services, where known. */
  readonly gatewayUrl?: string;
  readonly relayUrl?: string;
  /** Whether each link is repeated under `aihot`, the name that existing clients read. */
  readonly hasAihotLinks: boolean;
  /** Language of pages and of this radar's own texts. */
  readonly language: 'en' | 'zh-CN';
};

export type ItemFields = 'default' | 'minimal';

/** JSON of an item in `/api/v1/items`. */
type SerializedItem = {
  /** A comma and the JSON, because a comma precedes every item of a page except the first. */
  readonly bytes: Buffer;
  /** A hash of the bytes. The ETag of a page is made from these hashes, not from the page. */
  readonly digest: string;
};

export type ItemRenderer = {
  renderListed(item: PublicItem): SerializedItem;
  /**
   * The item of a snapshot or a change, without its reason. `minimal`: the contract's ItemMinimal.
   */
  renderMirrored(item: PublicItem, fields: ItemFields): object;
};

export function openItemRenderer(site: Site): ItemRenderer {
  const serialized = new WeakMap<PublicItem, SerializedItem>();
  return {
    renderListed: (item) => {
      const cached = serialized.get(item);
      if (cached !== undefined) return cached;
      const bytes = Buffer.from(`,${JSON.stringify(wireItem(site, item))}`);
      const serializedItem = { bytes, digest: hash('sha256', bytes, 'base64url') };
      serialized.set(item, serializedItem);
      return serializedItem;
    },
    renderMirrored: (item, fields) => {
      const { reason: _reason, ...wire } = wireItem(site, item);
      if (fields === 'default') return wire;
      const { originalTitle: _title, summary: _summary, attribution: _by, ...otherFields } = wire;
      const { original: _original, ...links } = otherFields.links;
      return { ...otherFields, links };
    },
  };
}

export function itemPageUrl(site: Site, id: string): string {
  return `${site.url}/items/${id}`;
}

/** The item in `/api/v1/items`, and in messages to channels. */
export function wireItem(site: Site, item: PublicItem) {
  const html = itemPageUrl(site, item.id);
  return {
    id: item.id,
    title: item.title,
    originalTitle: item.originalTitle,
    summary: item.summary,
    source: { name: item.sourceName },
    links: { html, original: item.originalUrl, ...(site.hasAihotLinks && { aihot: html }) },
    publishedAt: item.publishedAt === null ? null : toWireTime(item.publishedAt),
    discoveredAt: toWireTime(item.discoveredAt),
    category: item.category,
    score: item.score,
    selected: item.selected,
    reason: item.reason,
    attribution: { name: site.name, url: html },
    language: item.language,
    summaryBy: item.summaryBy,
    story: item.storyId === null ? null : { publicId: item.storyId },
  };
}
