// The fourth part of the setup page: the address, key and name of a model, and a test of it. The
// part is optional; without a model, the rules write all texts.
import { type Html, html } from '../../../kernel/html/html.ts';
import { type FieldErrors, renderTextField } from '../../../kernel/web/forms.ts';
import type { SetupSettings } from '../../../operators/setup-settings.ts';
import { type ModelTrial, tryModel } from '../../model/try-model.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';
import { renderFixedValue } from './site-part.ts';

/** Value of the button `do` that tests the model instead of starting. */
export const TRY_MODEL = 'try-model';

type SetupModel = NonNullable<SetupSettings['model']>;

export function renderModelPart(
  { site, model, setupSettings }: RadarPageContext,
  values: URLSearchParams,
  { errors, trial }: { readonly errors: FieldErrors; readonly trial: ModelTrial | null },
): Html {
  const messages = setupMessages(site.language);
  if (setupSettings.isFixed.model) {
    return renderFixedValue(site.language, {
      label: messages.model,
      value: model?.name ?? '',
      reason: messages.fixedByVariable,
    });
  }
  const renderField = (
    name: 'modelUrl' | 'modelName' | 'modelKey',
    type: 'url' | 'text' | 'password',
  ) =>
    renderTextField({
      name,
      label: messages.modelFields[name],
      value: values.get(name) ?? '',
      type,
      autocomplete: 'off',
      error: errors[name],
    });
  return html`<p>${model === null ? messages.modelNone : messages.modelIs(model.name ?? '')}</p>
${renderField('modelUrl', 'url')}${renderField('modelName', 'text')}\
${renderField('modelKey', 'password')}
${trial !== null && renderTrialResult(messages, trial)}
<button class="quiet" name="do" value="${TRY_MODEL}">${messages.tryModel}</button>`;
}

function renderTrialResult(messages: ReturnType<typeof setupMessages>, trial: ModelTrial): Html {
  return trial.kind === 'works'
    ? html`<div class="notice positive" role="status" tabindex="-1" data-focus><p>\
${messages.modelWorks(trial.ms)}</p></div>`
    : html`<div class="notice negative" role="alert" tabindex="-1" data-focus><p>\
${messages.modelFails(trial.detail)}</p></div>`;
}

/** `model` is null when the part is empty, has an error, or cannot be changed here. */
export function readModelPart(
  { site, setupSettings }: RadarPageContext,
  form: URLSearchParams,
): { readonly model: SetupModel | null; readonly errors: FieldErrors } {
  const messages = setupMessages(site.language);
  const formInput = (name: string) => form.get(name)?.trim() ?? '';
  const [url, name, key] = [formInput('modelUrl'), formInput('modelName'), formInput('modelKey')];
  const isEmpty = url === '' && name === '' && key === '';
  if (setupSettings.isFixed.model || isEmpty) return { model: null, errors: {} };
  const errors = {
    ...(!isHttpUrl(url) && { modelUrl: messages.modelUrlWrong }),
    ...((name === '' || name.length > 200) && { modelName: messages.modelNameWrong }),
  };
  if (Object.keys(errors).length > 0) return { model: null, errors };
  return { model: { url: url.replace(/\/+$/, ''), name, key: key === '' ? null : key }, errors };
}

const isHttpUrl = (text: string) =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

export const testSetupModel = (
  { world }: RadarPageContext,
  model: SetupModel,
): Promise<ModelTrial> => tryModel(world, model);
