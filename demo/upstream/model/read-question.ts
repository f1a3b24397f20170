// What a request asks of the demonstration world's chat model: which step it is, by the answer that
// the prompt describes; what language is wanted; and the fenced texts.

export type Fence = {
  /** What its opening line says after the mark. */
  readonly name: string;
  readonly text: string;
};

export type AskedStep =
  | 'prefilter'
  | 'score'
  | 'write'
  | 'sort'
  | 'facts'
  | 'relate'
  | 'digest'
  | 'report'
  | 'unknown';

export type ReadQuestion = {
  readonly step: AskedStep;
  readonly isChinese: boolean;
  readonly fences: readonly Fence[];
  /** Lines outside of fences, `label: value`. */
  readonly labels: ReadonlyMap<string, string>;
  /** All of the user's message. */
  readonly text: string;
};

const answers: readonly (readonly [AskedStep, RegExp])[] = [
  ['prefilter', /"about"/],
  ['relate', /"relations"/],
  ['report', /"headline"/],
  ['write', /"reason"/],
  ['sort', /"category"/],
  ['facts', /"facts"/],
  ['digest', /"sentences"/],
  ['score', /"score"/],
];

export function readQuestion(system: string, user: string): ReadQuestion {
  const form = /^Answer: .*$/ms.exec(system)?.[0] ?? system;
  const step = answers.find(([, sign]) => sign.test(form))?.[0] ?? 'unknown';
  const { fences, rest } = splitFences(user);
  const labels = new Map<string, string>();
  for (const [, label = '', value = ''] of rest.matchAll(/^([A-Z][\w ]{1,40}):\s*(.+)$/gm)) {
    labels.set(label.toLowerCase(), value.trim());
  }
  const wanted = labels.get('write in') ?? '';
  return { step, isChinese: /chinese|中文|zh/i.test(wanted), fences, labels, text: user };
}

/** From a line that begins `<<<` to the line that closes it with the same mark. */
function splitFences(text: string): { readonly fences: readonly Fence[]; readonly rest: string } {
  const fences: Fence[] = [];
  const rest: string[] = [];
  let open: { readonly mark: string; readonly name: string; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    if (open === null) {
      const [, mark, name = ''] = /^<<<\s*(\S+)\s*(.*)$/.exec(line) ?? [];
      if (mark === undefined) rest.push(line);
      else open = { mark, name, lines: [] };
    } else if (closes(line, open.mark)) {
      fences.push({ name: open.name || open.mark, text: open.lines.join('\n') });
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) fences.push({ name: open.name || open.mark, text: open.lines.join('\n') });
  return { fences, rest: rest.join('\n') };
}

const closes = (line: string, mark: string) => /^\S*>>>/.test(line) && line.includes(mark);
