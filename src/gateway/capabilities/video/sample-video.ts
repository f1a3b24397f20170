// Creates the video of test mode: a valid MP4 of the requested length with one empty video track.
// Boxes of ISO 14496-12, sections 4.3 and 8.

const scale = 1000;
const [width, height] = [320, 180];

export function sampleVideo(seconds: number): Uint8Array {
  const units = Math.round(seconds * scale);
  const brand = Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1');
  const track = box('trak', trackHeader(units), box('mdia', mediaHeader(units), handler()));
  return Buffer.concat([
    box('ftyp', brand),
    box('moov', movieHeader(units), track),
    box('mdat', Buffer.alloc(8)),
  ]);
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** The number 1 with 16 and with 30 binary places. */
const ONE_16 = 0x00010000;
const ONE_30 = 0x40000000;

/** Writes the identity matrix: the video is not rotated. */
function writeMatrix(target: Buffer, offset: number): void {
  target.writeUInt32BE(ONE_16, offset);
  target.writeUInt32BE(ONE_16, offset + 16);
  target.writeUInt32BE(ONE_30, offset + 32);
}

function movieHeader(units: number): Buffer {
  const body = Buffer.alloc(100);
  body.writeUInt32BE(scale, 12);
  body.writeUInt32BE(units, 16);
  // The playback rate.
  body.writeUInt32BE(ONE_16, 20);
  writeMatrix(body, 36);
  // The id of the next track.
  body.writeUInt32BE(2, 96);
  return box('mvhd', body);
}

function trackHeader(units: number): Buffer {
  const body = Buffer.alloc(84);
  // Flags: the track is enabled (1) and part of the presentation (2). Then the id of the track.
  body.writeUInt32BE(3, 0);
  body.writeUInt32BE(1, 12);
  body.writeUInt32BE(units, 20);
  writeMatrix(body, 40);
  body.writeUInt32BE(width << 16, 76);
  body.writeUInt32BE(height << 16, 80);
  return box('tkhd', body);
}

function mediaHeader(units: number): Buffer {
  const body = Buffer.alloc(24);
  body.writeUInt32BE(scale, 12);
  body.writeUInt32BE(units, 16);
  // `und`: the language is undetermined.
  body.writeUInt16BE(0x55c4, 20);
  return box('mdhd', body);
}

function handler(): Buffer {
  const body = Buffer.alloc(25);
  body.write('vide', 8, 'latin1');
  return box('hdlr', body);
}
