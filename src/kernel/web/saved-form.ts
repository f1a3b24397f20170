// Keeps a form that was submitted after its session had expired. The sign-in page contains the form
// in hidden fields. The form is submitted only after the operator's confirmation, because another
// site may have caused the first submission.
import { type Html, html } from '../html/html.ts';
import { markLanguage } from '../html/text-language.ts';
import { type PageLayout, renderFormPage } from './form-page.ts';
import { renderButton, renderPostForm } from './forms.ts';
import { formMessages } from './messages.ts';

export type SavedForm = {
  /** The path of the form's action within the area. */
  readonly actionPath: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
};

/** The sign-in form contains the saved form in double encoding. Longer forms are dropped. */
const MAX_CHARACTERS = 20_000;
/** Fields that are not saved: the token of the expired session, passwords, codes and keys. */
const unsavedNames = new Set([
  ...['token', 'password', 'again', 'code', 'current', 'renew', 'off', 'sealed', 'modelKey'],
]);
/** Fields that the page adds. The confirmation page does not show them. */
const reservedNames = new Set([
  ...['version', 'withVersion', 'intent', 'act', 'form_id', 'once', 'left'],
]);

/** Null: the form is too long. A form without fields is also saved, because its action suffices. */
export function createSavedForm(actionPath: string, form: URLSearchParams): SavedForm | null {
  const fields = [...form].filter(([name]) => !unsavedNames.has(name));
  const characters = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return characters > MAX_CHARACTERS ? null : { actionPath, fields };
}

/** Hidden fields of the sign-in form that contain the saved form. */
export function renderSavedFields({ actionPath, fields }: SavedForm): Html {
  const savedFields = new URLSearchParams();
  for (const [name, value] of fields) savedFields.append(name, value);
  return html`<input type="hidden" name="at" value="${actionPath}">\
<input type="hidden" name="kept" value="${savedFields.toString()}">`;
}

/** Reads a saved form from a sign-in form; `pathOf` accepts only paths of the area. */
export function readSavedForm(
  form: URLSearchParams,
  pathOf: (actionPath: string) => string,
): SavedForm | null {
  const [actionPath, savedText] = [form.get('at'), form.get('kept')];
  return actionPath === null || savedText === null
    ? null
    : createSavedForm(pathOf(actionPath), new URLSearchParams(savedText));
}

type ConfirmationPageOptions = {
  readonly formToken: string;
  /** The page that opens when the form is discarded. */
  readonly path: string;
} & Partial<FieldTexts>;

/** Labels and texts of a form's fields on a confirmation page. */
export type FieldTexts = {
  /** Labels of fields; a field without a label shows its own name. */
  readonly labels: Readonly<Record<string, string>>;
  /** Texts of the values of a choice; a value without a text is shown unchanged. */
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** The confirmation page after signing in again. */
export function renderConfirmationPage(
  layout: PageLayout,
  { actionPath, fields }: SavedForm,
  { formToken, path, labels = {}, choices = {} }: ConfirmationPageOptions,
): string {
  const { language } = layout.site;
  const messages = formMessages(language);
  const hidden = fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const formInput = fields.filter(
    ([name, value]) => !reservedNames.has(name) && value.trim() !== '',
  );
  const textOf = (name: string, value: string) => {
    const texts = Object.hasOwn(choices, name) ? choices[name] : undefined;
    return texts !== undefined && Object.hasOwn(texts, value) ? (texts[value] ?? value) : value;
  };
  const labelOf = (name: string) =>
    Object.hasOwn(labels, name) ? labels[name] : html`<code>${name}</code>`;
  const content = html`${hidden}${renderButton(messages.sendNow)}`;
  return renderFormPage(layout, {
    title: messages.unsentTitle,
    body: html`<main id="main" tabindex="-1" class="compact">
<h1>${messages.unsentTitle}</h1>
<p class="explains">${messages.unsentAbout}</p>
${
  formInput.length === 0
    ? html`<p class="mono">${actionPath}</p>`
    : html`<dl class="facts stacked">${formInput.map(
        ([name, value]) => html`<dt>${labelOf(name)}</dt>\
<dd>${markLanguage(textOf(name, value), language)}</dd>
`,
      )}</dl>`
}
${renderPostForm({ formToken }, { action: actionPath }, content)}
<p class="meta spaced"><a href="${path}">${messages.discard}</a></p>
</main>`,
  });
}
