// HZ (RFC 1843): GB 2312 in seven bits between `~{` and `~}`.
import iconv from 'iconv-lite';

export function decodeHz(bytes: Uint8Array): string {
  const plain: number[] = [];
  let isChinese = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const next = bytes[at + 1];
    if (byte === 0x7e && next === 0x7b) isChinese = true;
    else if (byte === 0x7e && next === 0x7d) isChinese = false;
    else if (byte === 0x7e && next === 0x7e) plain.push(0x7e);
    // `~` at a line's end joins the lines.
    else if (!(byte === 0x7e && next === 0x0a)) {
      if (isChinese && byte > 0x20 && byte < 0x7f && next !== undefined) {
        plain.push(byte | 0x80, next | 0x80);
        at += 1;
      } else {
        plain.push(byte);
        // RFC 1843: a line that ends in GB mode ends the mode.
        if (byte === 0x0a) isChinese = false;
      }
      continue;
    }
    at += 1;
  }
  return iconv.decode(Buffer.from(plain), 'gbk');
}
