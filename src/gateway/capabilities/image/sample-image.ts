// Creates the image of test mode: a plain PNG of about 64 pixels a side in the requested aspect
// ratio.
import { crc32, deflateSync } from 'node:zlib';

const side = 64;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** `aspectRatio`: W:H, both from 1 to 32. */
export function sampleImage(aspectRatio = '1:1'): Uint8Array {
  const [horizontal = 1, vertical = 1] = aspectRatio.split(':').map(Number);
  const unit = Math.ceil(side / Math.max(horizontal, vertical));
  const [width, height] = [horizontal * unit, vertical * unit];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits of grey.
  header[8] = 8;
  // Each row begins with its filter type; 0: no filter.
  const rows = Buffer.alloc(height * (width + 1), 0xc8);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const encoded = Buffer.alloc(body.length + 8);
  encoded.writeUInt32BE(data.length, 0);
  body.copy(encoded, 4);
  encoded.writeUInt32BE(crc32(body), body.length + 4);
  return encoded;
}
