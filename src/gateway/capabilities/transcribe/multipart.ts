// Encodes a form with files as multipart/form-data (RFC 7578).
import type { World } from '../../../kernel/world.ts';

export type FormPart =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      readonly fileName: string;
      readonly type: string;
      readonly bytes: Uint8Array;
    };

/** Names and file names are constants of this program, so they need no escaping. */
export function encodeMultipart({ random }: Pick<World, 'random'>, parts: readonly FormPart[]) {
  const boundary = `radar-${Buffer.from(random.bytes(18)).toString('hex')}`;
  const pieces = parts.flatMap((part) => {
    const file = 'bytes' in part ? `; filename="${part.fileName}"` : '';
    const type = 'bytes' in part ? `\r\ncontent-type: ${part.type}` : '';
    const disposition = `content-disposition: form-data; name="${part.name}"`;
    const head = `--${boundary}\r\n${disposition}${file}${type}`;
    const body = 'bytes' in part ? part.bytes : Buffer.from(part.value);
    return [Buffer.from(`${head}\r\n\r\n`), body, Buffer.from('\r\n')];
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
