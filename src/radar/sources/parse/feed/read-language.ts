// Normalises language tags to BCP 47 from forms such as `EN_us` and `zh_CN.UTF-8`.

/** `en`, `zh-CN`, `sr-Latn-RS`; null when it is not a language. */
export function languageTag(source: string | null): string | null {
  const text = (source ?? '').trim().slice(0, 60).split(/[,;.]/)[0] ?? '';
  if (/\s/.test(text)) return null;
  const value = names.get(text.toLowerCase());
  if (value !== undefined) return value;
  const [primary = '', ...subtags] = text.replaceAll('_', '-').split('-');
  if (!/^[a-z]{2,3}$/i.test(primary) || /^(?:und|zxx|mul)$/i.test(primary)) return null;
  const parts = subtags
    .filter((part) => /^[a-z0-9]{1,8}$/i.test(part))
    .map((part) => {
      if (part.length === 2) return part.toUpperCase();
      if (part.length !== 4 || /^\d/.test(part)) return part.toLowerCase();
      return part.charAt(0).toUpperCase() + part.slice(1).toLowerCase();
    });
  return [primary.toLowerCase(), ...parts].join('-');
}

/** Some feeds write the name of a language. */
const names: ReadonlyMap<string, string> = new Map([
  ['english', 'en'],
  ['german', 'de'],
  ['deutsch', 'de'],
  ['french', 'fr'],
  ['spanish', 'es'],
  ['chinese', 'zh'],
  ['japanese', 'ja'],
  ['korean', 'ko'],
]);
