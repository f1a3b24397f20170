// Renders parts of forms: labels, help, errors beside fields, and a summary of errors that takes
// the focus. A form with errors keeps the typed values.
import { type Html, html, nothing } from '../html/html.ts';
import { markLanguage } from '../html/text-language.ts';
import { parseWholeNumber } from '../http/whole-number.ts';
import type { Language } from './language.ts';
import { renderListTable, rowHeading } from './list-table.ts';
import { formMessages } from './messages.ts';

type LocalizedPage = { readonly site: { readonly language: Language } };

export type FieldErrors = Readonly<Record<string, string>>;

type Field = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly help?: string | Html;
  readonly error?: string | undefined;
};

export type TextField = Field & {
  readonly type?: 'text' | 'url' | 'number' | 'search' | 'email' | 'password' | 'date';
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly isRequired?: boolean;
  /** A token of the HTML standard's autofill; `off` disables it. */
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'decimal';
  /** Sets the initial focus; at most one field per page. */
  readonly isFocused?: boolean;
};

export function renderTextField(field: TextField): Html {
  const { name, value, type = 'text', rows, isCode, isRequired, autocomplete, inputMode } = field;
  const attributes = html`${attributesOf(field)}${isRequired && html` required`}\
${autocomplete && html` autocomplete="${autocomplete}"`}\
${inputMode && html` inputmode="${inputMode}"`}${field.isFocused && html` data-focus`}`;
  const renderInput = () =>
    type === 'date'
      ? renderDayInput(name, value, attributes)
      : html`<input id="f-${name}" name="${name}" type="${type}" value="${value}"${attributes}>`;
  return renderField(
    field,
    rows === undefined
      ? renderInput()
      : html`<textarea id="f-${name}" name="${name}" rows="${rows}"\
${isCode && html` class="code" spellcheck="false"`}${attributes}>
${value}</textarea>`,
  );
}

/**
 * A day as text. The browser's own date field shows the order of its locale, such as 11/23/2026, in
 * every language of the page.
 */
export const renderDayInput = (name: string, value: string, attributes: Html = nothing): Html =>
  html`<input id="f-${name}" name="${name}" type="text" value="${value}" size="10" \
autocomplete="off" placeholder="2026-11-23" title="2026-11-23" \
pattern="[0-9]{4}-[0-9]{2}-[0-9]{2}"${attributes}>`;

export type Choice = {
  readonly value: string;
  readonly label: string;
  /** The `lang` attribute of a label whose language differs from the page. */
  readonly lang?: Html;
};

export function renderChoiceField(field: Field & { readonly choices: readonly Choice[] }): Html {
  const { name, value, choices } = field;
  return renderField(
    field,
    html`<select id="f-${name}" name="${name}"${attributesOf(field)}>${choices.map(
      (choice) =>
        html`<option value="${choice.value}"${choice.value === value && html` selected`}\
${choice.lang}>\
${choice.label}</option>`,
    )}</select>`,
  );
}

function attributesOf({ name, help, error }: Field): Html {
  const descriptionIds = [help && `h-${name}`, error && `e-${name}`].filter(Boolean).join(' ');
  return html`${error && html` aria-invalid="true"`}\
${descriptionIds !== '' && html` aria-describedby="${descriptionIds}"`}`;
}

function renderField({ name, label, help, error }: Field, input: Html): Html {
  return html`<div class="field">
<label for="f-${name}">${label}</label>
${input}
${help && html`<p class="help" id="h-${name}">${help}</p>`}\
${error && html`<p class="error" id="e-${name}">${error}</p>`}
</div>
`;
}

/**
 * Errors by field name; `''` concerns the whole form. `labels` name the fields whose errors do not
 * mention them.
 */
export function renderErrorSummary(
  { site }: LocalizedPage,
  errors: FieldErrors,
  labels: Readonly<Record<string, string>> = {},
): Html {
  const entries = Object.entries(errors);
  if (entries.length === 0) return nothing;
  const messages = formMessages(site.language);
  const withLabel = (name: string, text: string) =>
    labels[name] === undefined ? text : `${labels[name]}${messages.colon}${text}`;
  return html`<div class="notice negative" role="alert" tabindex="-1" id="errors" data-focus>
<h2 class="side">${messages.errorTitle}</h2>
<ul>
${entries.map(([name, text]) =>
  name === ''
    ? html`<li>${text}</li>`
    : html`<li><a href="#f-${name}">${withLabel(name, text)}</a></li>`,
)}</ul>
</div>`;
}

type FormOptions = {
  readonly action: string;
  /** The version that the form shows. */
  readonly version?: number | undefined;
  readonly className?: string;
};

type FormSender = {
  readonly formToken: string;
  /** Why the reader may not send the form of an action; null or absent: it is permitted. */
  readonly refusal?: ((action: string) => string | null) | undefined;
};

/** A form for POST with its CSRF token. A form that the reader may not send is disabled. */
export function renderPostForm(
  { formToken, refusal }: FormSender,
  options: FormOptions,
  body: Html,
): Html {
  const { action, version, className } = options;
  const reason = refusal?.(action) ?? null;
  if (reason !== null) {
    return html`<form method="post" action="${action}"${className && html` class="${className}"`}>
<fieldset class="refused" disabled title="${reason}">${body}</fieldset>
<p class="help refusal">${reason}</p></form>
`;
  }
  return html`<form method="post" action="${action}"${className && html` class="${className}"`}>
<input type="hidden" name="token" value="${formToken}">\
${version !== undefined && html`<input type="hidden" name="version" value="${version}">`}
${body}</form>
`;
}

export function renderButton(
  label: string,
  kind: 'main' | 'quiet' | 'danger' | 'link' = 'main',
): Html {
  return html`<button${kind !== 'main' && html` class="${kind}"`}>${label}</button>`;
}

/**
 * The version that a form was rendered with; null: the form has none, so it is not from a page of
 * this program.
 */
export function versionOf(form: URLSearchParams): number | null {
  return parseWholeNumber(form.get('version'));
}

/** The trimmed value; null when it is empty. */
export function textOf(form: URLSearchParams, name: string): string | null {
  const text = (form.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  return text === '' ? null : text;
}

export type Difference = {
  readonly label: string;
  readonly currentValue: string;
  readonly formInput: string;
};

/** Shows another editor's newer values beside the typed ones, so that nothing is lost. */
export function renderConflictNotice(
  { site }: LocalizedPage,
  differences: readonly Difference[],
  editorName: string | null,
): Html {
  const { language } = site;
  const messages = formMessages(language);
  return html`<div class="notice negative" role="alert" tabindex="-1" data-focus>
<h2 class="side">${messages.conflictTitle}</h2>
<p>${editorName === null ? messages.conflictAbout : messages.conflictBy(editorName)}</p>
${
  differences.length > 0 &&
  renderListTable(
    [{ label: messages.field }, { label: messages.currentValue }, { label: messages.yourInput }],
    differences.map(({ label, currentValue, formInput }) => [
      rowHeading(label),
      markLanguage(currentValue, language),
      markLanguage(formInput, language),
    ]),
    { isStacked: true },
  )
}
</div>`;
}

/** A choice of several values, each with a checkbox. */
export function renderTickField(field: {
  readonly name: string;
  readonly label: string;
  readonly chosen: readonly string[];
  readonly choices: readonly Choice[];
  readonly help?: string;
}): Html {
  const { name, label, chosen, choices, help } = field;
  return html`<fieldset class="field ticks"${help && html` aria-describedby="h-${name}"`}>
<legend>${label}</legend>
${choices.map(
  (choice) => html`<label><input type="checkbox" name="${name}" value="${choice.value}"\
${chosen.includes(choice.value) && html` checked`}> ${choice.label}</label>
`,
)}${help && html`<p class="help" id="h-${name}">${help}</p>`}
</fieldset>
`;
}
