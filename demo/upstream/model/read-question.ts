// Parses a request to the demonstration's chat model: the step, by the reply format in its prompt;
// the requested language; and the fenced texts.

export type Fence = {
  /** Text of the opening line after the marker. */
  readonly name: string;
  readonly text: string;
};

export type QuestionStep =
  | 'prefilter'
  | 'score'
  | 'write'
  | 'sort'
  | 'facts'
  | 'relate'
  | 'digest'
  | 'report'
  | 'unknown';

export type ParsedQuestion = {
  readonly step: QuestionStep;
  readonly isChinese: boolean;
  readonly fences: readonly Fence[];
  /** Lines outside of fences, `label: value`. */
  readonly labels: ReadonlyMap<string, string>;
  /** The whole user message. */
  readonly text: string;
};

const replyMarks: readonly (readonly [QuestionStep, RegExp])[] = [
  ['prefilter', /"about"/],
  ['relate', /"relations"/],
  ['report', /"headline"/],
  ['write', /"reason"/],
  ['sort', /"category"/],
  ['facts', /"facts"/],
  ['digest', /"sentences"/],
  ['score', /"score"/],
];

export function readQuestion(system: string, user: string): ParsedQuestion {
  const replyFormat = /^Answer: .*$/ms.exec(system)?.[0] ?? system;
  const step = replyMarks.find(([, mark]) => mark.test(replyFormat))?.[0] ?? 'unknown';
  const { fences, otherLines } = splitFences(user);
  const labels = new Map<string, string>();
  for (const [, label = '', value = ''] of otherLines.matchAll(/^([A-Z][\w ]{1,40}):\s*(.+)$/gm)) {
    labels.set(label.toLowerCase(), value.trim());
  }
  const language = labels.get('write in') ?? '';
  return { step, isChinese: /chinese|中文|zh/i.test(language), fences, labels, text: user };
}

/** A fence begins with a line that starts with `<<<`, and ends with a line with its marker. */
function splitFences(text: string): {
  readonly fences: readonly Fence[];
  readonly otherLines: string;
} {
  const fences: Fence[] = [];
  const otherLines: string[] = [];
  let openFence: { readonly mark: string; readonly name: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    if (openFence === null) {
      const [, mark, name = ''] = /^<<<\s*(\S+)\s*(.*)$/.exec(line) ?? [];
      if (mark === undefined) otherLines.push(line);
      else openFence = { mark, name, lines: [] };
    } else if (isClosingLine(line, openFence.mark)) {
      fences.push({ name: openFence.name || openFence.mark, text: openFence.lines.join('\n') });
      openFence = null;
    } else openFence.lines.push(line);
  }
  if (openFence !== null)
    fences.push({ name: openFence.name || openFence.mark, text: openFence.lines.join('\n') });
  return { fences, otherLines: otherLines.join('\n') };
}

const isClosingLine = (line: string, mark: string) => /^\S*>>>/.test(line) && line.includes(mark);
