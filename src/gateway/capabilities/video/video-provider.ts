// A provider that makes films in the background: asked for one, asked how far it is, told to stop,
// asked for the bytes. When to ask, and that a film is asked for only once, is the jobs' business.
import type { Failed, ProviderHealth } from '../capability.ts';

export type FilmWish = {
  readonly prompt: string;
  /** 1..30; the provider makes the nearest length that it can. */
  readonly seconds: number;
  /** Sent along where a provider knows such a key: the same twice is one film. */
  readonly idempotencyKey: string;
};

export type Submitted = { readonly kind: 'submitted'; readonly taskId: string };

export type FilmState =
  | { readonly kind: 'queued' }
  /** `progress` 0..1; null when the provider does not say. */
  | { readonly kind: 'running'; readonly progress: number | null }
  /** `contentUrl`: where the bytes are for a while; null: they are asked for by the task's id. */
  | { readonly kind: 'succeeded'; readonly contentUrl: string | null }
  | { readonly kind: 'refused'; readonly message: string; readonly internal: string }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'expired' }
  /** The provider knows no such task (any more). */
  | { readonly kind: 'unknown' };

export type Canceled = { readonly kind: 'canceled' } | { readonly kind: 'too_late' };

export type Film = { readonly kind: 'film'; readonly bytes: Uint8Array };

/** A film as the provider lists it. */
export type ListedFilm = {
  readonly taskId: string;
  /** null: the provider does not say. */
  readonly prompt: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
};

export type VideoProvider = {
  readonly name: string;
  submit(signal: AbortSignal, wish: FilmWish): Promise<Submitted | Failed>;
  /** The longest that one question can take. */
  readonly longestMs: number;
  poll(signal: AbortSignal, taskId: string): Promise<FilmState | Failed>;
  cancel(signal: AbortSignal, taskId: string): Promise<Canceled | Failed>;
  content(
    signal: AbortSignal,
    done: { readonly taskId: string; readonly contentUrl: string | null },
  ): Promise<Film | Failed>;
  /** The latest films, newest first; null where a list would not tell one film from another. */
  readonly list:
    | ((
        signal: AbortSignal,
      ) => Promise<
        | { readonly kind: 'films'; readonly films: readonly ListedFilm[]; readonly isAll: boolean }
        | Failed
      >)
    | null;
  health(): ProviderHealth;
};

export const maxFilmBytes = 100 * 2 ** 20;

/** The next longer of the lengths that a model makes, or its longest. */
export function lengthFor(seconds: number, lengths: readonly number[]): number {
  const sorted = lengths.toSorted((a, b) => a - b);
  return sorted.find((length) => length >= seconds) ?? sorted.at(-1) ?? seconds;
}
