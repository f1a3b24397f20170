// Builds the HTTP response of an asset: immutable, and compressed when the client accepts it.
import { compress } from '../http/compress.ts';
import { negotiateCoding } from '../http/negotiate-coding.ts';
import { ASSET_CACHE_CONTROL, type Asset } from './assets.ts';

export type AssetResponse = {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
};

/** A smaller asset fits into one network packet, so compression would not save a packet. */
const MIN_COMPRESSED_BYTES = 860;
const TEXT_TYPES = /^text\/|javascript|json|svg/;

/** Compressed bytes by asset and coding. */
const compressedForms = new WeakMap<Asset, Map<string, Uint8Array>>();

/** `acceptEncoding` is the value of the Accept-Encoding header. */
export function assetResponse(asset: Asset, acceptEncoding: string | undefined): AssetResponse {
  const headers = {
    'cache-control': ASSET_CACHE_CONTROL,
    'content-type': asset.contentType,
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  };
  const isCompressible =
    asset.bytes.length >= MIN_COMPRESSED_BYTES && TEXT_TYPES.test(asset.contentType);
  const coding = isCompressible ? negotiateCoding(acceptEncoding) : 'identity';
  if (coding === 'identity') return { headers, bytes: asset.bytes };
  const cachedForms = compressedForms.get(asset) ?? new Map<string, Uint8Array>();
  compressedForms.set(asset, cachedForms);
  const bytes = cachedForms.get(coding) ?? compress(asset.bytes, coding, 1);
  cachedForms.set(coding, bytes);
  return { headers: { ...headers, 'content-encoding': coding }, bytes };
}
