// Renders the audit log as a table: time, operator, action, and the values before and after.
import { type Html, html } from '../html/html.ts';
import { langAttribute } from '../html/text-language.ts';
import { renderDateTime, type TimeContext } from './format-time.ts';
import type { Language } from './language.ts';
import { renderListTable, singleLineCell } from './list-table.ts';

/** A stored change of the audit log. */
export type AuditChange = {
  readonly at: number;
  readonly actor: string;
  /** The client's address; null for changes by the command line and for old rows. */
  readonly address: string | null;
  readonly action: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly note: string | null;
};

export type ChangesMessages = {
  readonly at: string;
  readonly who: string;
  readonly what: string;
  readonly beforeAfter: string;
  readonly actions: Readonly<Record<string, string>>;
  /** Labels of fields; a field without a label shows its own name. */
  readonly changeNames?: Readonly<Record<string, string>>;
  /** Labels for stored codes. */
  readonly changeValues?: Readonly<Record<string, string>>;
};

const MAX_VALUE_LENGTH = 160;

/** `subjectOf` renders the changed object, for pages that show more than one. */
export function renderChangesTable<C extends AuditChange>(
  { messages, times }: { readonly messages: ChangesMessages; readonly times: TimeContext },
  changes: readonly C[],
  subjectOf: ((change: C) => Html) | null = null,
): Html {
  const { language } = times.site;
  return renderListTable(
    [messages.at, messages.who, messages.what, messages.beforeAfter].map((label) => ({
      label,
      isSelfExplanatory: true,
    })),
    changes.map((change) => [
      singleLineCell(renderDateTime(times, change.at)),
      html`${change.actor}${
        change.address && html`<span class="meta below">${change.address}</span>`
      }`,
      {
        content: html`${messages.actions[change.action] ?? change.action}${subjectOf?.(change)}\
${
  change.note &&
  html`<span class="meta below"${langAttribute(change.note, language)}>“${change.note}”</span>`
}`,
        className: 'whole',
      },
      { content: renderDifferences(change, messages, language), className: 'whole' },
    ]),
  );
}

function renderDifferences(
  { before, after }: AuditChange,
  messages: ChangesMessages,
  language: Language,
): Html {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return html`<ul class="changes">${names.map((name) => {
    const [previous, current] = [
      formatValue(before[name], messages),
      formatValue(after[name], messages),
    ];
    return html`<li><span class="label">${messages.changeNames?.[name] ?? name}</span> \
${previous && html`<del${langAttribute(previous, language)}>${previous}</del> `}\
${current ? html`<ins${langAttribute(current, language)}>${current}</ins>` : html`<ins>–</ins>`}\
</li>
`;
  })}</ul>`;
}

function formatValue(value: unknown, messages: ChangesMessages): string {
  if (value === null || value === undefined || value === '') return '';
  const text = describeValue(value, messages);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** Formats a list of names; deeper values are shown as stored JSON. */
function describeValue(value: unknown, messages: ChangesMessages): string {
  if (Array.isArray(value) && value.every((element) => typeof element === 'string')) {
    return value.map((element) => messages.changeValues?.[element] ?? element).join(' · ');
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return messages.changeValues?.[text] ?? text;
}
