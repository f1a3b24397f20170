// Reads and renders fields that several admin forms have: submitted text, whole numbers within
// bounds, and a field that makes a repeated submission count once.

import { html } from '../../kernel/html/html.ts';
import { textOf } from '../../kernel/web/forms.ts';

export function readFields<Name extends string>(
  form: URLSearchParams,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const formInput = names.map((name) => [name, textOf(form, name) ?? '']);
  return Object.fromEntries(formInput) as Readonly<Record<Name, string>>;
}

/** A hidden field with the id of the form, so that a repeated submission counts once. */
export const renderOnceField = (formId: string) =>
  html`<input type="hidden" name="once" value="${formId}">`;
/** Whether a submitted text has the characters and length of a form id. */
export const isFormId = (formId: string): boolean => /^[\w-]{8,80}$/.test(formId);

/** The journal stores references with this prefix, so the prefix cannot change. */
const FORM_REFERENCE_PREFIX = 'desk:';

/** The reference of a submission that has no reference of its own: the id of its form. */
export const formReference = (formId: string): string => `${FORM_REFERENCE_PREFIX}${formId}`;
export const isFormReference = (reference: string): boolean =>
  reference.startsWith(FORM_REFERENCE_PREFIX);

/** A whole number from 1 to `max`, of at most five digits; null for any other text. */
export const readWholeNumber = (text: string, max: number): number | null =>
  /^[1-9]\d{0,4}$/.test(text) && Number(text) <= max ? Number(text) : null;
