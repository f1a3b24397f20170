// Converts BMP with 32 bits per pixel, which tesseract refuses, to 24 bits. Format:
// BITMAPFILEHEADER and BITMAPINFOHEADER of the Windows documentation.

// Offsets in the two headers: 10 start of the pixels, 18 width, 22 height, 28 bits per pixel, 30
// compression, 34 size of the pixels.
const fileHeaderBytes = 14;
const infoHeaderBytes = 40;
const uncompressed = 0;

/** Other images are returned unchanged. */
export function removeAlpha(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < fileHeaderBytes + infoHeaderBytes) return bytes;
  if (view.getUint16(0) !== 0x424d || view.getUint16(28, true) !== 32) return bytes;
  if (view.getUint32(30, true) !== uncompressed) return bytes;
  const pixelsAt = view.getUint32(10, true);
  const width = view.getInt32(18, true);
  const rows = Math.abs(view.getInt32(22, true));
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  if (width <= 0 || pixelsAt + width * rows * 4 > bytes.length) return bytes;
  const start = fileHeaderBytes + infoHeaderBytes;
  const bmp = new Uint8Array(start + rowBytes * rows);
  bmp.set(bytes.subarray(0, start));
  const header = new DataView(bmp.buffer);
  header.setUint32(2, bmp.length, true);
  header.setUint32(10, start, true);
  header.setUint32(14, infoHeaderBytes, true);
  header.setUint16(28, 24, true);
  header.setUint32(34, rowBytes * rows, true);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const from = pixelsAt + (row * width + column) * 4;
      bmp.set(bytes.subarray(from, from + 3), start + row * rowBytes + column * 3);
    }
  }
  return bmp;
}
