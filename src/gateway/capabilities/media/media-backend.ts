// Defines the storage interface of the media store: put, read a range, list, remove.
export type MediaBackend = {
  put(name: string, bytes: Uint8Array, mimeType: string): Promise<void>;
  /** Null: not found. `head` is the beginning, long enough to detect the type. */
  open(name: string): Promise<{ readonly byteLength: number; readonly head: Uint8Array } | null>;
  /** Bytes `from`..`to`, inclusive. */
  read(name: string, from: number, to: number): Promise<Uint8Array>;
  list(): AsyncIterable<string>;
  remove(name: string): Promise<void>;
};
