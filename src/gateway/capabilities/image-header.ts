// Detects the type and size of an image from its first bytes, before anything decodes it. Supported
// formats: PNG (W3C), JPEG (ITU T.81), WebP (RFC 9649) and BMP.

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/bmp';

export type ImageHeader = {
  readonly type: ImageType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
};

/** Null: the type is unsupported, or the size cannot be read. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const image = readPng(view) ?? readJpeg(view) ?? readWebp(view) ?? readBmp(view);
    return image && image.width > 0 && image.height > 0 ? image : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The four ASCII characters at an offset, such as the type of a chunk. */
const tagAt = (view: DataView, offset: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)));

function readPng(view: DataView): ImageHeader | null {
  // The signature of PNG: 89 "PNG" 0D 0A 1A 0A.
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  if (tagAt(view, 12) !== 'IHDR') return null;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readJpeg(view: DataView): ImageHeader | null {
  // The marker of the start of an image.
  if (view.getUint16(0) !== 0xffd8) return null;
  for (let index = 2; ; ) {
    if (view.getUint8(index) !== 0xff) return null;
    const marker = view.getUint8(index + 1);
    // T.81, table B.1: FF fills, 01 and D0 to D7 have no length, D9 ends the image, and DA starts
    // the data. C0 to CF start a frame, except DHT, JPG and DAC.
    if (marker === 0xff) index += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) index += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return {
        type: 'image/jpeg',
        width: view.getUint16(index + 7),
        height: view.getUint16(index + 5),
      };
    } else if (marker === 0xd9 || marker === 0xda) return null;
    else index += 2 + view.getUint16(index + 2);
  }
}

function readWebp(view: DataView): ImageHeader | null {
  if (tagAt(view, 0) !== 'RIFF' || tagAt(view, 8) !== 'WEBP') return null;
  const chunk = tagAt(view, 12);
  const type = 'image/webp';
  if (chunk === 'VP8X') {
    return { type, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
  }
  if (chunk === 'VP8L') {
    // The signature of lossless data. Width and height minus one have 14 bits each.
    if (view.getUint8(20) !== 0x2f) return null;
    const bits = view.getUint32(21, true);
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  // The start code of a key frame: 9D 01 2A. The upper two bits of each size are a scale.
  if (chunk !== 'VP8 ' || view.getUint8(23) !== 0x9d || view.getUint16(24) !== 0x012a) return null;
  const width = view.getUint16(26, true) & 0x3fff;
  return { type, width, height: view.getUint16(28, true) & 0x3fff };
}

function readBmp(view: DataView): ImageHeader | null {
  // "BM", and an information header of at least 40 bytes. A negative height starts at the top row.
  if (view.getUint16(0) !== 0x424d || view.getUint32(14, true) < 40) return null;
  const height = Math.abs(view.getInt32(22, true));
  return { type: 'image/bmp', width: view.getInt32(18, true), height };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}
