// An item on the wire: feed contract, "Item". It is rendered once and cached with the item, because
// most responses repeat most items.
import { hash } from 'node:crypto';
import { openBufferPool, type PooledBuffer } from '../../kernel/concurrency/buffer-pool.ts';
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
  /**
   * The body of a page: `head`, items separated by commas, `tail`. The body is in a buffer that
   * other pages use after the release of this body. `etagContent` has the digests of items, not
   * their bytes.
   */
  renderPage(
    head: string,
    items: readonly PublicItem[],
    tail: string,
  ): { body: PooledBuffer; etagContent: string };
  /**
   * The item of a snapshot or a change, without the field `reason`. `minimal`: the contract's
   * ItemMinimal.
   */
  renderMirrored(item: PublicItem, fields: ItemFields): object;
};

/** A page of a hundred items has about 110 KB. */
const PAGE_BYTES = 128 * 1024;
const FREE_PAGES_MAX = 64;

export function openItemRenderer(site: Site): ItemRenderer {
  const serialized = new WeakMap<PublicItem, SerializedItem>();
  const pageBuffers = openBufferPool(PAGE_BYTES, FREE_PAGES_MAX);
  const serialize = (item: PublicItem): SerializedItem => {
    const cached = serialized.get(item);
    if (cached !== undefined) return cached;
    const bytes = Buffer.from(`,${JSON.stringify(wireItem(site, item))}`);
    const serializedItem = { bytes, digest: hash('sha256', bytes, 'base64url') };
    serialized.set(item, serializedItem);
    return serializedItem;
  };
  return {
    renderPage: (head, items, tail) => {
      const parts: Buffer[] = [Buffer.from(head)];
      let etagContent = head;
      for (const item of items) {
        const { bytes, digest } = serialize(item);
        parts.push(parts.length === 1 ? bytes.subarray(1) : bytes);
        etagContent += digest;
      }
      parts.push(Buffer.from(tail));
      etagContent += tail;
      const body = pageBuffers.take(parts.reduce((sum, part) => sum + part.length, 0));
      let offset = 0;
      for (const part of parts) {
        body.bytes.set(part, offset);
        offset += part.length;
      }
      return { body, etagContent };
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
