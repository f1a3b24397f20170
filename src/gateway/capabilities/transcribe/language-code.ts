// Converts the language of a transcript to a code, because providers with Whisper's API return
// English names.

const codes: Readonly<Record<string, string>> = {
  english: 'en',
  chinese: 'zh',
  mandarin: 'zh',
  cantonese: 'yue',
  japanese: 'ja',
  korean: 'ko',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  portuguese: 'pt',
  italian: 'it',
  russian: 'ru',
  dutch: 'nl',
  arabic: 'ar',
  hindi: 'hi',
  turkish: 'tr',
  polish: 'pl',
  ukrainian: 'uk',
  vietnamese: 'vi',
  thai: 'th',
  indonesian: 'id',
  malay: 'ms',
  swedish: 'sv',
  norwegian: 'no',
  danish: 'da',
  finnish: 'fi',
  greek: 'el',
  czech: 'cs',
  hungarian: 'hu',
  romanian: 'ro',
  hebrew: 'he',
  persian: 'fa',
  tagalog: 'tl',
  urdu: 'ur',
};

/** Null: an unknown name; a code is returned unchanged. */
export function languageCode(name: string | null): string | null {
  const lowered = name?.trim().toLowerCase() ?? '';
  if (/^[a-z]{2,3}(?:-[a-z0-9]+)*$/.test(lowered) && codes[lowered] === undefined) return lowered;
  return codes[lowered] ?? null;
}
