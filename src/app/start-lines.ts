// Shortens the output of a start in a terminal: five lines with the addresses, the file of the
// password, the next step and the log. Scripts and services receive every line of every component.
import { join } from 'node:path';
import type { Terminal } from '../cli/app.ts';
import type { Config } from '../config.ts';
import type { ListedSource } from '../radar/sources/list-sources.ts';

export type StartLines = {
  readonly terminal: Terminal;
  /** Prints the collected lines; later lines are printed at once. */
  finish(): void;
};

type StartFacts = Pick<Config, 'dataDir'> & {
  /** Null: the log is on standard error. */
  readonly logFile: string | null;
};

export function collectStartLines(terminal: Terminal, facts: StartFacts): StartLines {
  if (!terminal.isInteractive) return { terminal, finish: () => {} };
  let lines: string[] | null = [];
  return {
    terminal: {
      ...terminal,
      out: (text) => {
        if (lines === null) terminal.out(text);
        else lines.push(text);
      },
    },
    finish: () => {
      const collected = lines ?? [];
      lines = null;
      for (const line of summarizeStart(collected, facts)) terminal.out(line);
    },
  };
}

/** Lines such as `Radar     http://…`, in any order; warnings are kept as they are. */
export function summarizeStart(
  lines: readonly string[],
  { dataDir, logFile }: StartFacts,
): readonly string[] {
  const valuesByName = new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^(\S+) {2,}(.+)\n$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
  const radar = valuesByName.get('Radar');
  const services = [valuesByName.get('Gateway'), valuesByName.get('Relay')].filter(
    (url) => url !== undefined,
  );
  const admin = lines.map((line) => /^Admin +(\S+) \(radar\)\n$/.exec(line)?.[1]).find(Boolean);
  const setup = valuesByName.get('Setup');
  const worker = valuesByName.get('Worker') ?? 'runs in another process';
  const adminStep =
    radar === undefined ? null : `open ${admin ?? `${radar}/admin`} (worker: ${worker})`;
  const nextStep = setup === undefined ? (adminStep ?? worker) : `open ${setup}`;
  const logPlace = logFile === null ? 'above' : logFile;
  return [
    ...lines.filter((line) => line.startsWith('Warning ')),
    ...(radar === undefined ? [] : [`Radar     ${radar}\n`]),
    ...(services.length === 0 ? [] : [`Gateway   ${services.join('  relay: ')}\n`]),
    `Password  operator_password in ${join(dataDir, 'first-run.json')}\n`,
    `Next      ${nextStep}\n`,
    `Ready. Stop with Ctrl-C. Log: ${logPlace}\n`,
  ];
}

/** The line of a worker: the number of sources that it fetches, or how to add the first source. */
export function workerLine(sources: readonly Pick<ListedSource, 'kind' | 'status'>[]): string {
  if (sources.length === 0) {
    return 'Worker    no sources yet: npx radar source add <address of a feed>\n';
  }
  const sourceCount = sources.filter(
    ({ kind, status }) => kind !== 'push' && status === 'active',
  ).length;
  return `Worker    fetches ${sourceCount} ${sourceCount === 1 ? 'source' : 'sources'}\n`;
}
