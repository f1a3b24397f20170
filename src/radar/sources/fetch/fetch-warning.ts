// A warning of a fetch: a code and its values, so that each page formats it in its own language.
// English text is used in logs and on the command line.

import { type WarningCode, warningMessages } from './warning-messages.ts';

export type FetchWarning = { readonly code: WarningCode; readonly values: readonly string[] };

export type WarningLanguage = 'en' | 'zh-CN';

export const fetchWarning = (code: WarningCode, ...values: readonly string[]): FetchWarning => ({
  code,
  values,
});

/** Nests a warning in another, for example the failed request of an entry's page. */
export const nestWarning = (
  code: WarningCode,
  { code: innerCode, values }: FetchWarning,
): FetchWarning => fetchWarning(code, innerCode, ...values);

export function formatWarning({ code, values }: FetchWarning, language: WarningLanguage): string {
  const [first = '', ...otherValues] = values;
  if (code !== 'page') return warningMessages[language][code](...values);
  return warningMessages[language].page(
    isWarningCode(first) ? formatWarning(fetchWarning(first, ...otherValues), language) : '',
  );
}

type Attempt = { readonly url: string; readonly warning: FetchWarning };

/** The reason of a failed attempt without its address, which begins English reasons. */
export const formatReason = ({ url, warning }: Attempt, language: WarningLanguage): string =>
  formatWarning(warning, language).replace(`GET ${url}: `, '');

/** An address and the reason why it gave no feed. */
export function formatAttempt(attempt: Attempt, language: WarningLanguage): string {
  const { url } = attempt;
  const reason = formatReason(attempt, language);
  if (reason.startsWith(`GET ${url}`)) return reason;
  return `${url}${language === 'zh-CN' ? '：' : ': '}${reason}`;
}

const isWarningCode = (code: string): code is WarningCode =>
  Object.hasOwn(warningMessages.en, code);

/** Parses stored warnings. Unknown codes are skipped. */
export function parseStoredWarnings(json: unknown): readonly FetchWarning[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((value: unknown) => {
    const { code, values } = (value ?? {}) as {
      readonly code?: unknown;
      readonly values?: unknown;
    };
    if (typeof code !== 'string' || !isWarningCode(code) || !Array.isArray(values)) return [];
    return [fetchWarning(code, ...values.map(String))];
  });
}

/** Distinct warnings in the order of their arrival. */
export class FetchWarnings {
  readonly #byText = new Map<string, FetchWarning>();

  add(warning: FetchWarning): void {
    this.#byText.set(JSON.stringify([warning.code, warning.values]), warning);
  }

  get all(): readonly FetchWarning[] {
    return [...this.#byText.values()];
  }
}
