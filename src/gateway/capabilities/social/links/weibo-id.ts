// Converts the nine letters of a Weibo post in web URLs to the number of the post. From the right,
// four letters in base 62 stand for seven digits of the number.

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The number of a post from its number or its letters; null for other text. */
export function weiboId(name: string): string | null {
  if (/^\d{12,19}$/.test(name)) return name;
  if (!/^[0-9a-zA-Z]{9}$/.test(name)) return null;
  const groups = [name.slice(0, 1), name.slice(1, 5), name.slice(5)];
  const numbers = groups.map((group) =>
    [...group].reduce((sum, letter) => sum * 62 + alphabet.indexOf(letter), 0),
  );
  const [first = 0, ...otherGroups] = numbers;
  if (otherGroups.some((number) => number > 9_999_999)) return null;
  return `${first}${otherGroups.map((number) => String(number).padStart(7, '0')).join('')}`;
}
