// Types of a load at a constant rate and of its result.

export type RateLoad = {
  readonly origin: string;
  /** Lines with a path. A tab and an ETag for If-None-Match may follow. */
  readonly file: string;
  /** Requests a second, or as fast as possible. */
  readonly rate: 'max' | number;
  readonly seconds: number;
  readonly acceptEncoding: 'identity' | 'gzip' | 'br';
  /** Whether the file is read from the beginning again after its end. */
  readonly repeats: boolean;
};

export type RateResult = {
  readonly perSecond: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
};
