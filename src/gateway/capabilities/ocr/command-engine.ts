// Runs an operator's own tesseract as the OCR engine: one process per image and language.
import type { World } from '../../../kernel/world.ts';
import { cachedCheck } from '../cached-check.ts';
import { runCommand } from '../run-command.ts';
import type { OcrEngine, OcrLanguage } from './ocr-engine.ts';
import { readTsv } from './read-tsv.ts';

const maxOutputBytes = 8 * 2 ** 20;
const languages: readonly OcrLanguage[] = ['eng', 'chi_sim'];

export function openCommandEngine(
  world: World,
  { command, readTimeoutMs }: { readonly command: string; readonly readTimeoutMs: number },
): OcrEngine {
  return {
    missing: cachedCheck(world, () => findMissing(world, command)),
    recognize: async (input, language, signal) => {
      const outcome = await runCommand(world, {
        file: command,
        args: ['stdin', 'stdout', '-l', language, 'tsv'],
        input,
        timeoutMs: readTimeoutMs,
        maxBytes: maxOutputBytes,
        signal,
      });
      if (outcome.kind === 'timed_out') return 'timed_out';
      if (outcome.kind !== 'ended' || outcome.status !== 0) return 'unreadable';
      return readTsv(outcome.stdout.toString('utf8')) ?? 'unreadable';
    },
  };
}

async function findMissing(world: World, command: string): Promise<string | null> {
  const outcome = await runCommand(world, {
    file: command,
    args: ['--list-langs'],
    timeoutMs: 10_000,
    maxBytes: 64 * 1024,
  });
  const install = 'apt-get install tesseract-ocr tesseract-ocr-chi-sim';
  if (outcome.kind !== 'ended' || outcome.status !== 0) {
    const instructions = `${install}, or leave providers.ocr.command out`;
    return `OCR needs tesseract (${command}), which does not run here: ${instructions}.`;
  }
  // Older versions list the languages on standard error.
  const outputWords = `${outcome.stdout.toString('utf8')}\n${outcome.stderrEnd}`.split(/\s+/);
  const missingLanguages = languages.filter((language) => !outputWords.includes(language));
  return missingLanguages.length === 0
    ? null
    : `Tesseract lacks ${missingLanguages.join(' and ')}: ${install}.`;
}
