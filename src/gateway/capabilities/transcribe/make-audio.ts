// Extracts the audio of a local file and its length. ffmpeg and ffprobe may read only files and
// pipes. They accept only containers that cannot refer to other files (no playlists, no
// concatenations).
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ProviderFailure, RunContext } from '../capability.ts';
import { providerFailure, upstreamError } from '../provider-failures.ts';
import { parse } from '../providers/provider.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import { type CommandOutcome, runCommand } from '../run-command.ts';
import { tooLong } from './fetch-media.ts';

export type Audio = {
  readonly kind: 'audio';
  readonly file: string;
  /** Length of the decoded audio, not of the container's metadata. */
  readonly seconds: number;
};

type Config = ProvidersConfig['download'];
type Context = Pick<RunContext, 'world' | 'signal'>;

const containers = [
  ...['mov', 'mp4', 'm4a', '3gp', 'matroska', 'webm', 'ogg', 'mp3', 'aac', 'wav', 'flac'],
  ...['flv', 'mpegts', 'mpeg', 'avi', 'asf', 'amr'],
].join(',');

const guards = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', containers];

/** Speech providers accept 25 MB. Four hours of Opus fit at 13 kbit/s. */
const maxUploadBytes = 24_000_000;

export type AudioKind = 'opus' | 'wav';

export async function makeAudio(
  context: Context,
  config: Config,
  media: { readonly file: string; readonly folder: string; readonly audioKind: AudioKind },
): Promise<Audio | ProviderFailure> {
  const claimedSeconds = await probe(context, config, media.file);
  if (typeof claimedSeconds === 'object') return claimedSeconds;
  if (claimedSeconds > config.maxSeconds) return tooLong(config.maxSeconds);
  const file = join(media.folder, media.audioKind === 'opus' ? 'audio.ogg' : 'audio.wav');
  // The highest rate with which the upload fits, between the lowest rate of Opus and 32 kbit/s.
  const uploadBitrate = Math.floor((maxUploadBytes * 8) / Math.max(claimedSeconds, 1));
  const bitrate = Math.max(6_000, Math.min(32_000, uploadBitrate));
  const codec =
    media.audioKind === 'opus'
      ? ['-c:a', 'libopus', '-application', 'voip', '-b:a', String(bitrate)]
      : ['-c:a', 'pcm_s16le'];
  const conversion = await run(context, config, config.ffmpeg, [
    ...['-nostdin', '-v', 'error', '-y', ...guards, '-i', media.file, '-map', '0:a:0'],
    ...['-vn', '-sn', '-dn', '-ac', '1', '-ar', '16000', ...codec],
    // One second beyond the limit, so that a longer file is detected.
    ...['-t', String(config.maxSeconds + 1), '-fs', String(config.maxBytes), file],
  ]);
  if (conversion.kind !== 'ended' || conversion.status !== 0)
    return conversionFailure('ffmpeg', conversion);
  const measuredSeconds = await probe(context, config, file);
  if (typeof measuredSeconds === 'object') return measuredSeconds;
  const seconds = realSeconds(
    claimedSeconds,
    media.audioKind === 'opus' ? measuredSeconds - OPUS_LEAD_SECONDS : measuredSeconds,
  );
  if (seconds > config.maxSeconds) return tooLong(config.maxSeconds);
  if (seconds <= 0 || (await stat(file)).size === 0) {
    return providerFailure('media_unavailable', 'The video has no sound.');
  }
  return { kind: 'audio', file, seconds };
}

/**
 * The padding of an Opus encoder before the sound, included in the file's length: 312 samples of
 * 48,000.
 */
const OPUS_LEAD_SECONDS = 0.0065;
/** The maximum padding of codecs after the sound, which the container's length does not include. */
const MAX_PADDING_SECONDS = 0.1;

/**
 * Length to the millisecond without codec padding: a video of 60 seconds is not billed as 61. The
 * container's length is used only when padding explains the difference.
 */
export function realSeconds(claimedSeconds: number, measuredSeconds: number): number {
  const isPadded =
    claimedSeconds > 0 &&
    measuredSeconds > claimedSeconds &&
    measuredSeconds - claimedSeconds < MAX_PADDING_SECONDS;
  return Math.round((isPadded ? claimedSeconds : measuredSeconds) * 1000) / 1000;
}

const probeOutput = z.object({
  format: z.object({ duration: z.string().regex(/^[\d.]+$/) }).nullish(),
});

/** The length in seconds; 0 when the container states none. */
async function probe(
  context: Context,
  config: Config,
  file: string,
): Promise<number | ProviderFailure> {
  const outcome = await run(context, config, config.ffprobe, [
    ...['-v', 'error', ...guards, '-show_entries', 'format=duration', '-of', 'json', file],
  ]);
  if (outcome.kind !== 'ended' || outcome.status !== 0)
    return conversionFailure('ffprobe', outcome);
  const parsed = parse(outcome.stdout, probeOutput);
  return parsed.kind === 'parsed' ? Number(parsed.value.format?.duration ?? 0) : 0;
}

function run({ world, signal }: Context, config: Config, file: string, args: readonly string[]) {
  return runCommand(world, {
    file,
    args,
    signal,
    timeoutMs: config.timeoutMs,
    maxBytes: 2 ** 20,
  });
}

function conversionFailure(program: string, outcome: CommandOutcome): ProviderFailure {
  if (outcome.kind === 'missing') {
    return providerFailure('capability_unavailable', `${program} is not installed here.`);
  }
  if (outcome.kind === 'timed_out') {
    return providerFailure('upstream_timeout', 'The audio could not be made in time.');
  }
  if (outcome.kind !== 'ended') return upstreamError(`${program}: ${outcome.kind}`);
  const internal = `${program} (${outcome.status}): ${outcome.stderrEnd.trim().slice(-300)}`;
  // The file cannot be decoded, or has no sound track.
  return providerFailure('media_unavailable', 'The video has no sound that can be read.', internal);
}
