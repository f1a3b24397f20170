// Simple paths into a JSON document (`data.items`, `authors[0].name`, `$`), and address templates
// that contain paths (`https://x.example/{id}`). A path names exactly one value; there are no
// searches or expressions.
import type { SettingProblem } from '../../settings-messages.ts';

/** The problem of an invalid path; null for a valid one. */
export function pathProblem(path: string): SettingProblem | null {
  if (path === '$' || parseSteps(path) !== null) return null;
  const quotedPath = JSON.stringify(path);
  return {
    en: `is not a path: ${quotedPath} (write data.items or authors[0].name)`,
    'zh-CN': `不是路径：${quotedPath}（写成 data.items 或 authors[0].name）`,
  };
}

/** The value at `path`; undefined when the document lacks it. */
export function valueAt(document: unknown, path: string): unknown {
  if (path === '$') return document;
  let value = document;
  for (const step of parseSteps(path) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** One step of a path: `name`, `.name`, `[0]`, `["name"]` or `['name']`. */
const stepPattern = /(?:^|\.)([^.[\]"'\s]+)|\[(\d+)\]|\["([^"]+)"\]|\['([^']+)'\]/y;

function parseSteps(path: string): readonly string[] | null {
  const values: string[] = [];
  // `$` names the document, where every path begins.
  const remaining = path.replace(/^\$(?:\.|(?=\[))/, '');
  let position = 0;
  while (position < remaining.length) {
    stepPattern.lastIndex = position;
    const match = stepPattern.exec(remaining);
    if (match === null) return null;
    values.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');
    position = stepPattern.lastIndex;
  }
  return values.length > 0 ? values : null;
}

const placeholder = /\{([^{}]*)\}/g;

const noValue: SettingProblem = {
  en: 'names no value of the item: write https://x.example/{id}',
  'zh-CN': '没有引用条目的任何值：写成 https://x.example/{id}',
};
const noHost: SettingProblem = {
  en: 'must begin with http:// or https:// and a fixed host',
  'zh-CN': '须以 http:// 或 https:// 和固定的主机开头',
};

/** The problem of an invalid template; null for a valid one. */
export function templateProblem(template: string): SettingProblem | null {
  const paths = [...template.matchAll(placeholder)].map(([, path = '']) => path);
  if (paths.length === 0) return noValue;
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== null) return problem;
  }
  if (/^https?:\/\/[^/{}\s]+\//.test(template)) return null;
  return noHost;
}

export type FilledTemplate =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'missing'; readonly path: string };

/**
 * Fills `template` from one item. Values are percent-encoded except slashes: `owner/name` is two
 * path segments.
 */
export function fillTemplate(template: string, item: unknown): FilledTemplate {
  let missingPath: string | null = null;
  const url = template.replace(placeholder, (_, path: string) => {
    const value = valueAt(item, path);
    if (typeof value === 'string' && value !== '') return encodeSegments(value);
    if (typeof value === 'number') return String(value);
    missingPath ??= path;
    return '';
  });
  return missingPath === null ? { kind: 'url', url } : { kind: 'missing', path: missingPath };
}

function encodeSegments(value: string): string {
  return value.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
