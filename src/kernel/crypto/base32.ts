// Encodes bytes in base 32 (RFC 4648), in lower case without padding. No two characters of its
// alphabet look alike.

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Five bits per character. The remaining bits of the last byte are dropped. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let pendingBits = 0;
  let bitCount = 0;
  for (const byte of bytes) {
    // At most four bits are pending before each byte, so twelve bits suffice.
    pendingBits = ((pendingBits << 8) | byte) & 0xfff;
    bitCount += 8;
    while (bitCount >= 5) {
      bitCount -= 5;
      text += alphabet[(pendingBits >> bitCount) & 31] ?? '';
    }
  }
  return text;
}
