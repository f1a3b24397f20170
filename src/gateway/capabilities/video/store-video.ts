// Checks and stores a finished video for as long as its job's result is available.
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { ProviderFailure } from '../capability.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readMedia } from '../media/read-media.ts';
import { upstreamError } from '../provider-failures.ts';

/** Capability contract, "Job": a result is readable for seven days after the end. */
const keptForMs = 7 * DAY_MS;

export type StoredVideo = {
  readonly kind: 'stored';
  /** An entry of `videos`. */
  readonly video: {
    readonly url: string;
    readonly mime_type: string;
    readonly width: number | null;
    readonly height: number | null;
    readonly duration_seconds: number | null;
  };
};

export async function storeVideo(
  media: MediaStore,
  bytes: Uint8Array,
): Promise<StoredVideo | ProviderFailure> {
  const facts = readMedia(bytes);
  const storedFile = facts?.mimeType === 'video/mp4' ? await media.store(bytes, keptForMs) : null;
  if (facts === null || storedFile === null) return upstreamError('the result is no MP4');
  const { width, height, durationSeconds } = facts;
  const video = { url: storedFile.url, mime_type: storedFile.mimeType, width, height };
  return { kind: 'stored', video: { ...video, duration_seconds: durationSeconds } };
}
