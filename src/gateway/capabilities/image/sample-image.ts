// The one picture of test mode: a plain PNG of 64 × 64 pixels, made here.
import { crc32, deflateSync } from 'node:zlib';

const side = 64;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function samplePicture(): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits of grey.
  header[8] = 8;
  const rows = Buffer.alloc(side * (side + 1), 0xc8);
  for (let row = 0; row < side; row += 1) rows[row * (side + 1)] = 0;
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
