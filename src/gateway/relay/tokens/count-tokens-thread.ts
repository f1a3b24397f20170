// Counts tokens beside the main thread: one text after the other.
import { parentPort } from 'node:worker_threads';
import { countTokens } from './count-tokens.ts';

parentPort?.on('message', (text: string) => parentPort?.postMessage(countTokens(text)));
