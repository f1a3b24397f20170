// Defines the interface of the store for media under unguessable names. Images are stored for 24
// hours, videos as long as their job's result. A backend, a folder or an S3-compatible store, holds
// the bytes.

export type MediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'video/mp4';

export type StoredMedia = {
  /** The secret part of its address: 160 random bits. */
  readonly token: string;
  /** The absolute URL of the file. */
  readonly url: string;
  readonly mimeType: MediaType;
  readonly byteLength: number;
};

export type FoundMedia = {
  readonly mimeType: MediaType;
  readonly byteLength: number;
  /** Bytes `from`..`to` (inclusive; everything when absent), in pieces of bounded size. */
  read(from?: number, to?: number): AsyncIterable<Uint8Array>;
};

export type MediaStore = {
  /**
   * Stores media for 24 hours, or for `keptForMs`. The type is detected from the bytes; null for an
   * unsupported type.
   */
  store(bytes: Uint8Array, keptForMs?: number): Promise<StoredMedia | null>;
  /** Null: the file never existed or has expired. */
  find(token: string): Promise<FoundMedia | null>;
  /** Deletes expired files and returns their number; `store` also does this once an hour. */
  deleteExpired(): Promise<number>;
};
