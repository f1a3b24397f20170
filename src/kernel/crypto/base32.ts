// Base 32 (RFC 4648) in lower case without padding. No two characters of its alphabet look alike.

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Five bits per character. The remaining bits of the last byte are dropped. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bitCount = 0;
  let bits = 0;
  for (const byte of bytes) {
    bitCount = ((bitCount << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(bitCount >> bits) & 31] ?? '';
    }
  }
  return text;
}
