// Queries of pages. Unknown parameters are ignored, because other sites add their own to shared
// links. An invalid value of a known parameter is an error that names the parameter.
import { Fault } from '../../kernel/errors/fault.ts';

export type PageQuery = {
  oneOf<const T extends string>(name: string, values: readonly T[]): T | null;
  text(name: string, maxLength: number): string | null;
};

export function readPageQuery(raw: string): PageQuery {
  const searchParams = new URLSearchParams(raw);
  const textOf = (name: string) => searchParams.get(name) || null;
  return {
    oneOf: (name, values) => {
      const value = textOf(name);
      if (value === null) return null;
      const knownValue = values.find((candidate) => candidate === value);
      if (knownValue !== undefined) return knownValue;
      throw new Fault('invalid_request', `"${name}" must be one of ${values.join(', ')}.`, {
        inChinese: `“${name}”须为 ${values.join('、')} 之一。`,
      });
    },
    text: (name, maxLength) => {
      const value = textOf(name);
      if (value === null || value.length <= maxLength) return value;
      throw new Fault('invalid_request', `"${name}" must have at most ${maxLength} characters.`, {
        inChinese: `“${name}”最多 ${maxLength} 个字符。`,
      });
    },
  };
}

/** The path with all parameters that are not null. */
export function pathWith(path: string, values: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
