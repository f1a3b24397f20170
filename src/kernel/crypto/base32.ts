// Base 32 (RFC 4648) in lower case, without padding: no letter that is easily taken for another.

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** Five bits a letter; what is left of the last byte is dropped. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += letters[(held >> bits) & 31] ?? '';
    }
  }
  return text;
}
