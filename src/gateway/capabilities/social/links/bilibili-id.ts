// Converts the av number of a bilibili video to its BV id. Both ids contain the same 51 bits; the
// BV id is permuted and in base 58. The constants come from bilibili's pages, public since March
// 2020.

const alphabet = 'FcwAPNKTMug3GV5Lj7EJnHpWsx4tb8haYeviqBz6rkCy12mUSDQX9RdoZf';
const mask = 23442827791579n;
const limit = 1n << 51n;
/** Position of each digit among the nine characters after `BV1`, least significant first. */
const digitOrder = [8, 7, 0, 5, 1, 3, 2, 4, 6];

/**
 * Returns the BV id of a video. `name`: the BV id, whose prefix can have small letters, or the av
 * number. Null for other text.
 */
export function bilibiliId(name: string): string | null {
  const letters = /^bv([0-9A-Za-z]{10})$/i.exec(name)?.[1];
  if (letters) return `BV${letters}`;
  const number = /^(?:av)?(\d{1,16})$/i.exec(name)?.[1];
  if (number === undefined) return null;
  const av = BigInt(number);
  return av > 0n && av < limit ? bvOf(av) : null;
}

function bvOf(av: bigint): string {
  const letters: string[] = [];
  let remainder = (limit | av) ^ mask;
  for (const digitIndex of digitOrder) {
    letters[digitIndex] = alphabet[Number(remainder % 58n)] ?? '';
    remainder /= 58n;
  }
  return `BV1${letters.join('')}`;
}
