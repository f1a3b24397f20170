// Runs the radar of one version with generated items. Usage: `serve-radar.ts <number of items>`.
import { openBenchRadar } from '../feed/bench-radar.ts';
import { benchWords } from '../read-model-items.ts';
import { serveVersion } from './version-process.ts';

export type RadarReady = { readonly url: string; readonly pid: number; readonly startMs: number };

const radar = await openBenchRadar(Number(process.argv[2]), benchWords(7));
const { url, pid, startMs } = radar;
serveVersion<'any' | 'unselected'>({ url, pid, startMs }, radar.publish, radar.close);
