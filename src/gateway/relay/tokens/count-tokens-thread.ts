// The worker thread that counts tokens, one text at a time.
import { parentPort } from 'node:worker_threads';
import { countTokens } from './count-tokens.ts';

parentPort?.on('message', (text: string) => parentPort?.postMessage(countTokens(text)));
