// Finds missing programs for transcription, and names how to install them.
import type { World } from '../../../kernel/world.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import { runCommand } from '../run-command.ts';

/** Null: all programs are installed. */
export async function findMissingPrograms(
  world: World,
  { command, ffmpeg, ffprobe, minVersion }: ProvidersConfig['download'],
): Promise<string | null> {
  const checks = [
    { file: command, args: ['--version'], install: 'yt-dlp (https://github.com/yt-dlp/yt-dlp)' },
    { file: ffmpeg, args: ['-version'], install: 'ffmpeg (apt-get install ffmpeg)' },
    { file: ffprobe, args: ['-version'], install: 'ffprobe (apt-get install ffmpeg)' },
  ];
  const outcomes = await Promise.all(
    checks.map(({ file, args }) =>
      runCommand(world, { file, args, timeoutMs: 20_000, maxBytes: 2 ** 20 }),
    ),
  );
  const missing = checks.filter((_, index) => {
    const outcome = outcomes[index];
    return outcome?.kind !== 'ended' || outcome.status !== 0;
  });
  if (missing.length > 0) {
    return `Transcription needs ${missing.map(({ install }) => install).join(', ')}.`;
  }
  const version = outcomes[0]?.kind === 'ended' ? outcomes[0].stdout.toString('utf8').trim() : '';
  // Versions are dates, so they can be compared as text.
  return version >= minVersion ? null : `yt-dlp ${version} is older than ${minVersion}.`;
}
