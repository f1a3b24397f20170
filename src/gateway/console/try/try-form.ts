// Renders the fields that try a capability, and builds the request body from their values. The
// capability validates the values as in every call.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderChoiceField, renderTextField } from '../../../kernel/web/forms.ts';
import { actions, platforms } from '../../capabilities/social/platforms.ts';
import type { MoneyMessages } from '../messages/money.ts';

export type TryInput = Readonly<Record<string, string>>;

type Field = {
  readonly name: string;
  readonly exampleValue: string;
  readonly kind: 'text' | 'lines' | 'number' | 'platform' | 'action' | 'ratio';
};

const fieldsByCapability: Readonly<Record<string, readonly Field[]>> = {
  social: [
    { name: 'platform', exampleValue: 'youtube', kind: 'platform' },
    { name: 'action', exampleValue: 'search', kind: 'action' },
    { name: 'keyword', exampleValue: 'open models', kind: 'text' },
    { name: 'url', exampleValue: '', kind: 'text' },
  ],
  transcribe: [
    { name: 'url', exampleValue: 'https://www.bilibili.com/video/BV1xx411c7mD', kind: 'text' },
  ],
  ocr: [{ name: 'image_urls', exampleValue: 'https://example.com/picture.png', kind: 'lines' }],
  'svc-image': [
    { name: 'prompt', exampleValue: 'A lighthouse at dusk, in ink', kind: 'text' },
    { name: 'aspect_ratio', exampleValue: '1:1', kind: 'ratio' },
  ],
  'svc-video': [
    { name: 'prompt', exampleValue: 'A lighthouse at dusk, its light turning', kind: 'text' },
    { name: 'seconds', exampleValue: '5', kind: 'number' },
  ],
  search: [{ name: 'q', exampleValue: 'open models', kind: 'text' }],
};

const MAX_INPUT_LENGTH = 12_000;

/** Returns the submitted values; an example replaces each absent value. */
export function readTryInput(capability: string, values: URLSearchParams): TryInput {
  const fields = fieldsByCapability[capability] ?? [];
  return Object.fromEntries(
    fields.map(({ name, exampleValue }) => [
      name,
      (values.get(name) ?? exampleValue).slice(0, MAX_INPUT_LENGTH),
    ]),
  );
}

export function renderTryFields(
  capability: string,
  formInput: TryInput,
  messages: MoneyMessages,
): Html {
  // The chosen action of social data decides whether the input is a link or a keyword.
  const unusedSocialField = formInput.action === 'content' ? 'keyword' : 'url';
  const hiddenField = capability === 'social' ? unusedSocialField : null;
  const fields = (fieldsByCapability[capability] ?? []).filter(({ name }) => name !== hiddenField);
  return html`${fields.map((field) => renderField(field, formInput, messages))}`;
}

const ratios = ['1:1', '4:3', '3:4', '16:9', '9:16'];

function renderField({ name, kind }: Field, formInput: TryInput, messages: MoneyMessages): Html {
  const field = { name, label: messages.fields[name] ?? name, value: formInput[name] ?? '' };
  switch (kind) {
    case 'platform':
      return renderChoiceField({
        ...field,
        choices: platforms.map(({ id, name: label }) => ({ value: id, label })),
      });
    case 'action':
      return renderChoiceField({
        ...field,
        choices: actions.map((value) => ({ value, label: messages.actions[value] })),
      });
    case 'ratio':
      return renderChoiceField({
        ...field,
        choices: ratios.map((value) => ({ value, label: value })),
      });
    case 'lines':
      return renderTextField({ ...field, rows: 3, isCode: true });
    default:
      return renderTextField({ ...field, type: kind, autocomplete: 'off' });
  }
}

/** Returns the body of a POST, or the parameters of a GET. */
export function toBody(capability: string, formInput: TryInput): Readonly<Record<string, unknown>> {
  switch (capability) {
    case 'social': {
      const { platform, action, url, keyword } = formInput;
      return { platform, action, params: action === 'content' ? { url } : { keyword } };
    }
    case 'ocr':
      return { image_urls: (formInput.image_urls ?? '').split(/\s+/).filter(Boolean) };
    case 'svc-video': {
      const seconds = Number(formInput.seconds);
      return {
        prompt: formInput.prompt,
        seconds: Number.isInteger(seconds) ? seconds : formInput.seconds,
      };
    }
    default:
      return formInput;
  }
}
