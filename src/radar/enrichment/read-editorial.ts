// Reads and validates an editorial folder: all files, known keys, and references between files to
// features and categories. Errors name the file.
import type { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';
import { findLayered, parseLayered } from '../../kernel/files/layered-folder.ts';
import type { Editorial } from './editorial-files.ts';
import { editorialFiles } from './editorial-files.ts';

type EditorialContents = typeof editorialFiles;

/** `folder` is a path. Throws a fault with the file and the key. */
export async function readEditorial(folder: string): Promise<Editorial> {
  const filePaths = new Map<string, string>();
  const readPart = async <Name extends keyof EditorialContents>(
    name: Name,
  ): Promise<z.infer<EditorialContents[Name]>> => {
    const { path, text } = await findLayered(folder, name);
    filePaths.set(name, path);
    return parseEditorialFile(name, text, path);
  };
  const [categories, titles, sentences, names, features, weights, scoring, reasons] =
    await Promise.all([
      readPart('categories.json'),
      readPart('enrichment/titles.json'),
      readPart('enrichment/sentences.json'),
      readPart('enrichment/names.json'),
      readPart('enrichment/features.json'),
      readPart('enrichment/weights.json'),
      readPart('enrichment/scoring.json'),
      readPart('enrichment/reasons.json'),
    ]);
  const editorial = { categories, titles, sentences, names, features, weights, scoring, reasons };
  checkReferences(editorial, (name) => filePaths.get(name) ?? name);
  return editorial;
}

/** Parses one file; `path` appears in messages. */
export function parseEditorialFile<Name extends keyof EditorialContents>(
  name: Name,
  text: string,
  path: string,
): z.infer<EditorialContents[Name]> {
  return parseLayered({ path, text }, editorialFiles[name]) as z.infer<EditorialContents[Name]>;
}

/** Throws a fault for an unknown feature or category, which would otherwise have no effect. */
export function checkReferences(
  { categories, features, weights, scoring, reasons }: Editorial,
  pathOf: (name: keyof EditorialContents) => string,
): void {
  const categoryIds = new Set(categories.map(({ id }) => id));
  const checkNames = (
    usedIds: Iterable<string | undefined>,
    isKnown: (id: string) => boolean,
    file: keyof EditorialContents,
  ) => {
    for (const id of usedIds) {
      if (id === undefined || isKnown(id)) continue;
      throw new Fault('invalid_request', `${pathOf(file)}: unknown feature or category "${id}"`);
    }
  };
  const isFeature = (id: string) => Object.hasOwn(features, id);
  const isCategory = (id: string) => categoryIds.has(id);
  for (const weightsByFeature of [weights.learned, weights.given]) {
    checkNames(Object.keys(weightsByFeature), isFeature, 'enrichment/weights.json');
    checkNames(
      Object.values(weightsByFeature).flatMap(Object.keys),
      isCategory,
      'enrichment/weights.json',
    );
  }
  checkNames(Object.keys(weights.bias), isCategory, 'enrichment/weights.json');
  checkNames(Object.keys(scoring.features), isFeature, 'enrichment/scoring.json');
  checkNames([scoring.offField.feature], isFeature, 'enrichment/scoring.json');
  checkNames(Object.keys(scoring.categories), isCategory, 'enrichment/scoring.json');
  const conditions = [...reasons.subjects, ...reasons.details];
  checkNames(
    conditions.map(({ feature }) => feature),
    isFeature,
    'enrichment/reasons.json',
  );
  checkNames(
    reasons.subjects.map(({ category }) => category),
    isCategory,
    'enrichment/reasons.json',
  );
}
