// Downloads the media of a post with yt-dlp, only for canonical URLs of the link parser and only
// through a guarded proxy. Generic extractors, configuration files and helper programs are
// disabled.
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openProxy } from '../../../kernel/net/open-proxy.ts';
import type { ProviderFailure, RunContext } from '../capability.ts';
import { providerFailure, upstreamError } from '../provider-failures.ts';
import { parse } from '../providers/provider.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import { type CommandOutcome, runCommand } from '../run-command.ts';
import type { PostRef } from '../social/links/link.ts';

export type FetchedMedia = {
  readonly kind: 'media';
  /** A file in the call's work folder. */
  readonly file: string;
  readonly title: string | null;
};

/** A file above `maxBytes` is too large. Above `maxBytes` plus this margin, the program ends. */
const FILE_MARGIN_BYTES = 16 * 2 ** 20;

type Config = ProvidersConfig['download'];
type Context = Pick<RunContext, 'world' | 'signal'>;

const info = z.object({
  id: z.string(),
  title: z.string().nullish(),
  duration: z.number().nullish(),
  is_live: z.boolean().nullish(),
  live_status: z.string().nullish(),
});

// Only protocols that yt-dlp implements itself, because ffmpeg (HLS) and rtmp would bypass the
// proxy.
const formats = ['bestaudio', 'best']
  .flatMap((format) =>
    ['^=http', '=m3u8_native'].map((protocolFilter) => `${format}[protocol${protocolFilter}]`),
  )
  .join('/');

export async function fetchMedia(
  context: Context,
  config: Config,
  ref: PostRef,
  folder: string,
): Promise<FetchedMedia | ProviderFailure> {
  const { privateHosts, maxBytes } = config;
  const proxy = await openProxy({ privateHosts, maxBytes });
  try {
    const commonArgs = [
      ...['--ignore-config', '--no-cache-dir', '--no-playlist', '--no-progress'],
      ...['--use-extractors', 'all,-generic', '--proxy', proxy.url, '--socket-timeout', '20'],
      ...['--retries', '2', '--ffmpeg-location', '/nonexistent', '--fixup', 'never'],
    ];
    const infoRun = await run(context, config, [...commonArgs, '-J', '--', ref.url], folder);
    const refusal = () => proxy.refusal() ?? '';
    if (infoRun.kind !== 'ended' || infoRun.status !== 0)
      return downloadFailure(infoRun, refusal());
    const parsedInfo = parse(infoRun.stdout, info);
    if (parsedInfo.kind === 'mismatch') return upstreamError(`yt-dlp -J: ${parsedInfo.problem}`);
    const { is_live, live_status, duration, title } = parsedInfo.value;
    if (is_live || /^is_(?:live|upcoming)$/.test(live_status ?? '')) {
      return providerFailure('media_unavailable', 'The video is live: it has no end yet.');
    }
    if (duration && duration > config.maxSeconds) return tooLong(config.maxSeconds);
    await writeFile(join(folder, 'info.json'), infoRun.stdout, { mode: 0o600 });
    const downloadArgs = [
      ...[...commonArgs, '--load-info-json', 'info.json', '-f', formats, '--no-part'],
      ...['--max-filesize', String(maxBytes), '-o', 'media.%(ext)s'],
    ];
    const downloadRun = await run(context, config, downloadArgs, folder);
    if (proxy.isOverLimit()) return tooLarge(config);
    if (downloadRun.kind !== 'ended' || downloadRun.status !== 0)
      return downloadFailure(downloadRun, refusal());
    const file = (await readdir(folder)).find((name) => name.startsWith('media.'));
    // Above --max-filesize, yt-dlp exits with 0 and writes no file.
    if (file === undefined) return tooLarge(config);
    const path = join(folder, file);
    if ((await stat(path)).size > maxBytes) return tooLarge(config);
    return { kind: 'media', file: path, title: title?.trim() || null };
  } finally {
    await proxy.close();
  }
}

export function tooLong(maxSeconds: number): ProviderFailure {
  // Tenths of an hour.
  const hours = Math.round(maxSeconds / 360) / 10;
  return providerFailure(
    'media_unavailable',
    `The video is longer than ${hours} hours, or has no end.`,
  );
}

function tooLarge({ maxBytes }: Config): ProviderFailure {
  const [unit, bytes] =
    maxBytes >= 2 ** 30 ? (['GiB', 2 ** 30] as const) : (['MiB', 2 ** 20] as const);
  const size = `${Math.round((maxBytes / bytes) * 1000) / 1000} ${unit}`;
  return providerFailure('media_unavailable', `The media are larger than ${size}, or have no end.`);
}

function run(
  { world, signal }: Context,
  config: Config,
  args: readonly string[],
  folder: string,
): Promise<CommandOutcome> {
  return runCommand(world, {
    file: config.command,
    args,
    folder,
    signal,
    timeoutMs: config.timeoutMs,
    maxBytes: 32 * 2 ** 20,
    maxFileBytes: config.maxBytes + FILE_MARGIN_BYTES,
  });
}

/** Messages of yt-dlp's extractors about unavailable posts. */
const unavailablePattern = new RegExp(
  [
    ...['unavailable', 'private', 'removed', 'deleted', 'not exist', 'no longer'],
    ...['members[- ]only', 'log ?in', 'sign in', 'age-restricted', 'not available', 'no video'],
    ...['unsupported url', 'geo.?restrict', 'http error (?:404|410)'],
  ].join('|'),
  'i',
);

/** The platform refused the request, but the post may exist; a retry or cookies may help. */
const blockedByPlatform =
  /not a bot|captcha|fresh cookies|http error (?:403|429)|too many requests/i;

function downloadFailure(outcome: CommandOutcome, refusal: string): ProviderFailure {
  switch (outcome.kind) {
    case 'missing':
      return providerFailure('capability_unavailable', 'yt-dlp is not installed here.');
    case 'timed_out':
      return providerFailure('upstream_timeout', 'The media could not be fetched in time.');
    case 'too_large':
    case 'aborted':
      return upstreamError(`yt-dlp: ${outcome.kind}`);
    case 'failed':
      return upstreamError(`yt-dlp: ${outcome.message}`);
    case 'ended': {
      const text = outcome.stderrEnd.trim().slice(-500);
      const internal = `yt-dlp (${outcome.status}): ${text}${refusal && ` · refused: ${refusal}`}`;
      if (refusal === '' && unavailablePattern.test(text) && !blockedByPlatform.test(text)) {
        const message = 'The post has no public media.';
        return providerFailure('media_unavailable', message, internal);
      }
      return upstreamError(internal);
    }
  }
}
