// Transcribes speech with a provider that has the endpoint `/v1/audio/transcriptions`, or with a
// local program that prints the same JSON.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ProviderFailure, ProviderHealth, RunContext } from '../capability.ts';
import { providerFailure, unavailable, upstreamError } from '../provider-failures.ts';
import { openCircuit } from '../providers/circuit.ts';
import { openProvider, parse } from '../providers/provider.ts';
import type { SpeechConfig } from '../providers-config.ts';
import { runCommand } from '../run-command.ts';
import type { ProviderWorld } from '../switches.ts';
import { languageCode } from './language-code.ts';
import type { AudioKind } from './make-audio.ts';
import { encodeMultipart } from './multipart.ts';
import type { SpeechSegment } from './subtitles.ts';

export type Transcript = {
  readonly kind: 'transcript';
  readonly text: string;
  readonly language: string | null;
  readonly segments: readonly SpeechSegment[];
};

export type SpeechProvider = {
  readonly name: string;
  readonly audioKind: AudioKind;
  transcribe(
    context: Pick<RunContext, 'signal'>,
    audio: string,
  ): Promise<Transcript | ProviderFailure>;
  health(): ProviderHealth;
};

/** Rounded to milliseconds, because smaller digits are rounding errors. */
const seconds = z.number().transform((value) => Math.round(value * 1000) / 1000);

const segment = z.object({ start: seconds, end: seconds, text: z.string() });

const verboseJson = z
  .object({
    text: z.string(),
    language: z.string().nullish(),
    segments: z.array(segment).nullish(),
  })
  .transform((result): Transcript => {
    const segments = (result.segments ?? []).map((segment) => ({
      ...segment,
      text: segment.text.trim(),
    }));
    const language = languageCode(result.language ?? null);
    return { kind: 'transcript', text: result.text.trim(), language, segments };
  });

export function openSpeech(world: ProviderWorld, config: SpeechConfig): SpeechProvider {
  return config.kind === 'openai' ? openRemote(world, config) : openLocal(world, config);
}

function openRemote(
  world: ProviderWorld,
  config: Extract<SpeechConfig, { kind: 'openai' }>,
): SpeechProvider {
  const provider = openProvider(world, {
    name: 'speech:openai',
    url: config.url,
    timeoutMs: config.timeoutMs,
    privateHosts: config.privateHosts,
    headers: config.key === undefined ? {} : { authorization: `Bearer ${config.key}` },
  });
  return {
    name: provider.name,
    audioKind: 'opus',
    health: provider.health,
    transcribe: async ({ signal }, audio) => {
      const body = encodeMultipart(world, [
        { name: 'model', value: config.model },
        { name: 'response_format', value: 'verbose_json' },
        { name: 'file', fileName: 'audio.ogg', type: 'audio/ogg', bytes: await readFile(audio) },
      ]);
      const path = '/audio/transcriptions';
      const request = { path, method: 'POST', body, maxBytes: 32 * 2 ** 20, signal } as const;
      const response = await provider.read(request, verboseJson);
      if (response.kind === 'read') return response.value;
      if (response.kind === 'absent') return upstreamError(`${provider.name} has no ${path}`);
      if (response.kind === 'refused')
        return upstreamError(`${provider.name} refused: ${response.status}`);
      return response;
    },
  };
}

function openLocal(world: ProviderWorld, config: Extract<SpeechConfig, { kind: 'command' }>) {
  const circuit = openCircuit(world, 'speech:command');
  const { clock } = world;
  return {
    name: 'speech:command',
    audioKind: 'wav',
    health: circuit.health,
    transcribe: async ({ signal }, audio) => {
      const waitMs = circuit.enter();
      if (waitMs > 0) return unavailable(`${config.command} is paused after failures`, 30);
      const startedAt = clock.now();
      const outcome = await runCommand(world, {
        file: config.command,
        args: config.args.map((argument) => argument.replaceAll('{audio}', audio)),
        timeoutMs: config.timeoutMs,
        maxBytes: 64 * 2 ** 20,
        // The operator's own program maps models of several gigabytes.
        maxMemoryBytes: null,
        signal,
      });
      const durationMs = clock.now() - startedAt;
      const response =
        outcome.kind === 'ended' && outcome.status === 0
          ? parse(outcome.stdout, verboseJson)
          : null;
      if (response?.kind === 'parsed') {
        circuit.recordSuccess(durationMs);
        return response.value;
      }
      circuit.recordFailure(durationMs);
      if (outcome.kind === 'timed_out') {
        return providerFailure('upstream_timeout', 'The speech was not transcribed in time.');
      }
      const cause = outcome.kind === 'ended' ? outcome.stderrEnd.trim().slice(-300) : outcome.kind;
      return upstreamError(`${config.command}: ${response?.problem ?? cause}`);
    },
  } satisfies SpeechProvider;
}
