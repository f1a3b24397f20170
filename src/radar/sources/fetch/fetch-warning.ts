// What a reading has to tell besides its outcome: a code and the values it is about, so that every
// place says it in its own language. What is kept in English is for logs and the command line.

import { type NoteCode, noteWords } from './warning-messages.ts';

export type Note = { readonly code: NoteCode; readonly values: readonly string[] };

export type NoteLanguage = 'en' | 'zh-CN';

export const note = (code: NoteCode, ...values: readonly string[]): Note => ({ code, values });

/** A note within another: what came of asking for the page of an entry. */
export const within = (code: NoteCode, { code: inner, values }: Note): Note =>
  note(code, inner, ...values);

export function sayNote({ code, values }: Note, language: NoteLanguage): string {
  const [first = '', ...rest] = values;
  if (code !== 'page') return noteWords[language][code](...values);
  return noteWords[language].page(isNoteCode(first) ? sayNote(note(first, ...rest), language) : '');
}

const isNoteCode = (code: string): code is NoteCode => Object.hasOwn(noteWords.en, code);

/** As they were stored; what this version does not know is left out. */
export function readNotes(stored: unknown): readonly Note[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: unknown) => {
    const { code, values } = (one ?? {}) as { readonly code?: unknown; readonly values?: unknown };
    if (typeof code !== 'string' || !isNoteCode(code) || !Array.isArray(values)) return [];
    return [note(code, ...values.map(String))];
  });
}

/** Each note once, in the order in which they came. */
export class Notes {
  readonly #byText = new Map<string, Note>();

  add(one: Note): void {
    this.#byText.set(JSON.stringify([one.code, one.values]), one);
  }

  get all(): readonly Note[] {
    return [...this.#byText.values()];
  }
}
