// Serves media files of posts, with simple tones as sound, and images for OCR with text from
// strokes.
import { drawText } from './draw-image.ts';
import { jsonReply, type Reply, type UpstreamRequest } from './server.ts';

/** Length of a sound in seconds, by the end of its id. */
function secondsOf(soundId: string): number {
  if (soundId.endsWith('612')) return 61.2;
  return soundId.endsWith('3000') ? 3 : 3.3;
}

export function handleMedia({ path }: UpstreamRequest): Reply {
  const soundId = /^\/sound\/([\w-]+)\.wav$/.exec(path)?.[1];
  if (soundId !== undefined) {
    const body = makeTone(secondsOf(soundId));
    return { status: 200, headers: { 'content-type': 'audio/wav' }, body };
  }
  const drawImage = images[path];
  if (!drawImage) return jsonReply({ error: 'no such file' }, 404);
  return { status: 200, headers: { 'content-type': 'image/png' }, body: drawImage() };
}

const images: Readonly<Record<string, () => Buffer>> = {
  '/pictures/english.png': () => drawText(['HARBOUR MEDIA', 'WELCOMES VISITORS']),
  '/pictures/chinese.png': () => drawText(['中国上山', '日本王田木工'], 80),
  '/pictures/blank.png': () => drawText([' ']),
};

/** A quiet, rising tone: 16 bits, one channel, 8 kHz. */
function makeTone(seconds: number): Buffer {
  const rate = 8_000;
  const sampleCount = Math.round(seconds * rate);
  const sound = Buffer.alloc(44 + sampleCount * 2);
  sound.write('RIFF', 0, 'latin1');
  sound.writeUInt32LE(36 + sampleCount * 2, 4);
  sound.write('WAVEfmt ', 8, 'latin1');
  sound.writeUInt32LE(16, 16);
  sound.writeUInt16LE(1, 20);
  sound.writeUInt16LE(1, 22);
  sound.writeUInt32LE(rate, 24);
  sound.writeUInt32LE(rate * 2, 28);
  sound.writeUInt16LE(2, 32);
  sound.writeUInt16LE(16, 34);
  sound.write('data', 36, 'latin1');
  sound.writeUInt32LE(sampleCount * 2, 40);
  for (let index = 0; index < sampleCount; index += 1) {
    const pitch = 220 + (index / sampleCount) * 220;
    const amplitude = 3_000 * Math.sin((2 * Math.PI * pitch * index) / rate);
    sound.writeInt16LE(Math.round(amplitude), 44 + index * 2);
  }
  return sound;
}
