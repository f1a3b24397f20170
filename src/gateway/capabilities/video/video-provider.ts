// Defines the interface of providers that create videos in the background: submit, poll, cancel and
// download. Jobs decide when to poll and prevent a second submission.
import type { ProviderFailure, ProviderHealth } from '../capability.ts';

export type VideoInput = {
  readonly prompt: string;
  /** 1..30; `lengthFor` selects the length that the provider receives. */
  readonly seconds: number;
  /** Sent where the provider supports it; a repeated key creates one video. */
  readonly idempotencyKey: string;
};

export type SubmittedVideo = { readonly kind: 'submitted'; readonly taskId: string };

export type VideoState =
  | { readonly kind: 'queued' }
  /** `progress` 0..1; null when the provider does not report it. */
  | { readonly kind: 'running'; readonly progress: number | null }
  /** `contentUrl`: a temporary URL of the bytes; null: they are downloaded by task id. */
  | { readonly kind: 'succeeded'; readonly contentUrl: string | null }
  | { readonly kind: 'refused'; readonly message: string; readonly internal: string }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'expired' }
  /** The provider has no such task, or has deleted it. */
  | { readonly kind: 'unknown' };

export type Cancellation = { readonly kind: 'canceled' } | { readonly kind: 'too_late' };

export type VideoFile = { readonly kind: 'video'; readonly bytes: Uint8Array };

/** A video as the provider lists it. */
export type ListedVideo = {
  readonly taskId: string;
  /** Null: the provider does not report it. */
  readonly prompt: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
};

export type VideoProvider = {
  readonly name: string;
  submit(signal: AbortSignal, input: VideoInput): Promise<SubmittedVideo | ProviderFailure>;
  /** Maximum duration of one request. */
  readonly longestMs: number;
  poll(signal: AbortSignal, taskId: string): Promise<VideoState | ProviderFailure>;
  cancel(signal: AbortSignal, taskId: string): Promise<Cancellation | ProviderFailure>;
  content(
    signal: AbortSignal,
    task: { readonly taskId: string; readonly contentUrl: string | null },
  ): Promise<VideoFile | ProviderFailure>;
  /** Latest videos, newest first; null where a list does not identify videos. */
  readonly list:
    | ((signal: AbortSignal) => Promise<
        | {
            readonly kind: 'videos';
            readonly videos: readonly ListedVideo[];
            readonly isAll: boolean;
          }
        | ProviderFailure
      >)
    | null;
  health(): ProviderHealth;
};

export const maxVideoBytes = 100 * 2 ** 20;

/**
 * The shortest length of `lengths` that is at least `seconds`. The longest length if all lengths
 * are shorter.
 */
export function lengthFor(seconds: number, lengths: readonly number[]): number {
  const sorted = lengths.toSorted((a, b) => a - b);
  return sorted.find((length) => length >= seconds) ?? sorted.at(-1) ?? seconds;
}
