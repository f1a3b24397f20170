// Extracts JSON from a model's text: bare, in a code fence, after reasoning, or inside prose. Size
// and depth are limited before parsing, which bounds the cost of a hostile reply.

/** Characters that are read; real replies need less than a tenth. */
export const maxCharacters = 200_000;
const maxDepth = 32;

export type JsonReplyResult =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'wrong'; readonly problem: string };

const wrongResult = (problem: string): JsonReplyResult => ({ kind: 'wrong', problem });

export function parseJsonReply(text: string): JsonReplyResult {
  if (text.length > maxCharacters) return wrongResult('it is far too long');
  // Reasoning models write their reply after the reasoning.
  const candidate = text.split('</think>').at(-1) ?? '';
  const parsed = parseObject(candidate.trim());
  if (parsed.kind === 'json') return parsed;
  for (const [, fenced = ''] of candidate.matchAll(/```(?:json)?\s*\n([\s\S]*?)\n\s*```/gi)) {
    const fencedValue = parseObject(fenced.trim());
    if (fencedValue.kind === 'json') return fencedValue;
  }
  const innerJson = balancedPart(candidate);
  if (innerJson === null) return parsed;
  return parseObject(innerJson);
}

function parseObject(text: string): JsonReplyResult {
  if (text === '') return wrongResult('it is empty');
  if (!/^[[{]/.test(text)) return wrongResult('it is not a JSON object');
  if (depthOf(text) > maxDepth) return wrongResult('it is nested too deeply');
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return wrongResult('it is not valid JSON');
  }
}

/** Nesting depth of brackets outside strings. Counting stops above the limit. */
function depthOf(text: string): number {
  let deepestLevel = 0;
  for (const { depth } of listBrackets(text, 0)) {
    if (depth > deepestLevel) deepestLevel = depth;
    if (deepestLevel > maxDepth) break;
  }
  return deepestLevel;
}

/** The text from the first brace to its closing brace. */
function balancedPart(text: string): string | null {
  const from = text.indexOf('{');
  if (from === -1) return null;
  for (const { depth, at } of listBrackets(text, from)) {
    if (depth === 0) return text.slice(from, at + 1);
  }
  return null;
}

/** Every bracket outside strings with the depth after it. */
function* listBrackets(text: string, from: number) {
  let depth = 0;
  let isString = false;
  for (let index = from; index < text.length; index += 1) {
    const char = text[index];
    if (isString) {
      if (char === '\\') index += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === '{' || char === '[') yield { at: index, depth: ++depth };
    else if (char === '}' || char === ']') yield { at: index, depth: --depth };
  }
}
