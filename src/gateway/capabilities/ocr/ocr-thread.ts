// Runs the OCR worker thread: tesseract as WebAssembly with the package's data for both languages.
// It reads one image at a time.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { assert } from '../../../kernel/errors/assert.ts';
import { removeAlpha } from './bmp.ts';
import type { OcrLanguage } from './ocr-engine.ts';

export type OcrThreadData = { readonly maxMemoryBytes: number };
export type OcrRequest = { readonly bytes: Uint8Array; readonly language: OcrLanguage };
export type OcrReply = {
  /** Rows without a heading; null: the image cannot be decoded. */
  readonly tsv: string | null;
  readonly memoryBytes: number;
};

type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number };
type WasmInstance = { readonly exports: Readonly<Record<string, unknown>> };

/** The platform's own object, which the types of Node omit. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => WasmInstance;
  readonly Memory: { new (options: object): WasmMemory; readonly prototype: WasmMemory };
};

/** The part of tesseract's C++ interface that this program uses. */
type TessApi = {
  Init(folder: null, language: string, engine: number): number;
  /** Reads the file `/input`; 0 means success. */
  SetImageFile(orientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
  Clear(): void;
};

type TesseractModule = {
  readonly FS: {
    writeFile(path: string, bytes: Uint8Array): void;
    unlink(path: string): void;
  };
  readonly TessBaseAPI: new () => TessApi;
};

type ModuleOptions = {
  print(line: string): void;
  printErr(line: string): void;
  instantiateWasm(imports: object, done: (instance: WasmInstance, module: object) => void): object;
};

/** Engine mode 1 of tesseract: the neural network only, because the data contain no other model. */
const LSTM_ONLY = 1;

const { maxMemoryBytes } = workerData as OcrThreadData;
const require = createRequire(import.meta.url);
const startModule: (
  options: ModuleOptions,
) => Promise<TesseractModule> = require('tesseract.js-core/tesseract-core-simd-lstm.js');
const wasmFile = require.resolve('tesseract.js-core/tesseract-core-simd-lstm.wasm');
const dataFiles: Readonly<Record<OcrLanguage, string>> = {
  eng: dataFile(require.resolve('@tesseract.js-data/eng/package.json'), 'eng'),
  chi_sim: dataFile(require.resolve('@tesseract.js-data/chi_sim/package.json'), 'chi_sim'),
};

let memory: WasmMemory | null = null;
const tesseract = await startModule({
  print: () => {},
  printErr: () => {},
  instantiateWasm: (imports, done) => {
    const module = new WebAssembly.Module(readFileSync(wasmFile));
    const instance = new WebAssembly.Instance(module, imports);
    memory = limitMemory(instance);
    done(instance, module);
    return instance.exports;
  },
});
const engines = new Map<OcrLanguage, TessApi>();

parentPort?.on('message', ({ bytes, language }: OcrRequest) => {
  const tsv = recognize(bytes, language);
  assert(memory, 'the module must have a memory');
  const reply: OcrReply = { tsv, memoryBytes: memory.buffer.byteLength };
  parentPort?.postMessage(reply);
});

function recognize(bytes: Uint8Array, language: OcrLanguage): string | null {
  const api = engines.get(language) ?? openLanguage(language);
  tesseract.FS.writeFile('/input', removeAlpha(bytes));
  try {
    if (api.SetImageFile(1, 0) !== 0 || api.Recognize(null) !== 0) return null;
    return api.GetTSVText(0);
  } finally {
    api.Clear();
    tesseract.FS.unlink('/input');
  }
}

function openLanguage(language: OcrLanguage): TessApi {
  const file = `${language}.traineddata`;
  tesseract.FS.writeFile(file, gunzipSync(readFileSync(dataFiles[language])));
  const api = new tesseract.TessBaseAPI();
  assert(api.Init(null, language, LSTM_ONLY) === 0, `tesseract must open ${language}`);
  tesseract.FS.unlink(file);
  engines.set(language, api);
  return api;
}

/** The integer form of the data has a tenth of the size of the float form and the same accuracy. */
function dataFile(packageFile: string, language: OcrLanguage): string {
  return join(dirname(packageFile), '4.0.0_best_int', `${language}.traineddata.gz`);
}

/** Above the limit the module's allocations fail, and the image counts as unreadable. */
function limitMemory({ exports }: WasmInstance): WasmMemory {
  const isMemory = (value: unknown): value is WasmMemory => value instanceof WebAssembly.Memory;
  const memory = Object.values(exports).find(isMemory);
  assert(memory, 'the module must export its memory');
  const pageBytes = 65_536;
  memory.grow = (pages) => {
    const requiredBytes = memory.buffer.byteLength + pages * pageBytes;
    assert(requiredBytes <= maxMemoryBytes, 'an image must stay within the memory limit');
    return WebAssembly.Memory.prototype.grow.call(memory, pages);
  };
  return memory;
}
