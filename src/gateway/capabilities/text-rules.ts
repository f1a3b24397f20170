// Validates text lengths as the contract defines them: Unicode code points of the trimmed text.
import { z } from 'zod';

export function textOfLength(min: number, max: number) {
  const rule = z.string().refine(
    (text) => {
      const { length } = [...text.trim()];
      return length >= min && length <= max;
    },
    { error: () => `must have ${min} to ${max} characters` },
  );
  return rule.meta({ minLength: min, maxLength: max });
}
