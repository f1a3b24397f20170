// Creates a key. The response to the form shows the key once. The form has a unique id, so a
// repeated submission creates and shows only one key.

import { html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { type FieldErrors, renderErrorSummary, renderPostForm } from '../../../kernel/web/forms.ts';
import { keyCreatedEvent } from '../../accounts/security-events.ts';
import { makeKeyOnce } from '../../keys/change-keys.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { formatUnconfirmedAddress } from '../shell/layout.ts';
import {
  emptyKeyForm,
  type KeyFormValues,
  parseKeyForm,
  readKeyFormValues,
  renderLimitFields,
  renderNameField,
} from './key-form.ts';
import { keyShownOncePage } from './shown-once.ts';

const PATH = '/console/keys/new';

export async function newKeyPage(
  context: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const kind = query.get('kind') === 'ak' ? 'ak' : 'sk';
  return renderForm(
    context,
    { ...emptyKeyForm, kind },
    { formId: newFormId(context), errors: {}, status: 200 },
  );
}

/** Returns a unique id for a form that creates a key. */
export const newFormId = ({ world }: ConsoleContext) =>
  Buffer.from(world.random.bytes(16)).toString('base64url');

export async function saveNewKey(
  context: ConsoleContext,
  { form, from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, account, livemode, messages, limits, securityLog } = context;
  const formInput = readKeyFormValues(form, form.get('kind') === 'ak' ? 'ak' : 'sk');
  // Sixteen bytes in base64url have 22 characters.
  const formId = /^[\w-]{22}$/.exec(form.get('form_id') ?? '')?.[0] ?? newFormId(context);
  const input = parseKeyForm(messages, formInput, { now: world.clock.now(), mayKeepExpiry: false });
  if (input.kind === 'invalid') {
    return renderForm(context, formInput, { formId, errors: input.errors, status: 422 });
  }
  const key = { ...input.limits, accountId: account.id, kind: formInput.kind, livemode };
  const owner = { accountId: account.id, origin: from };
  const creation = { form: formId, maxKeys: limits.keysPerAccount };
  const creationResult = await securityLog.record(owner, async (tx) => {
    const outcome = await makeKeyOnce(world, tx, key, creation);
    const event = outcome.kind === 'made' ? keyCreatedEvent(livemode, input.limits.name) : null;
    return { outcome, event };
  });
  switch (creationResult.kind) {
    case 'made': {
      const { text } = creationResult.key;
      const headings = { title: messages.madeTitle, about: messages.madeAbout };
      return keyShownOncePage(context, {
        ...headings,
        kind: formInput.kind,
        key: text,
        scopes: formInput.scopes,
      });
    }
    case 'made_before':
      return renderRefusal(context, messages.madeBefore, messages.madeBeforeAbout, 409);
    case 'too_many': {
      const about = messages.tooManyKeysAbout(limits.keysPerAccount);
      return renderRefusal(context, messages.tooManyKeys, about, 409);
    }
    case 'unverified':
      return renderRefusal(
        context,
        messages.needsVerification,
        formatUnconfirmedAddress(context),
        403,
      );
  }
}

function renderRefusal(
  { messages }: ConsoleContext,
  title: string,
  about: string,
  status: number,
): ConsoleResponse {
  const body = html`${renderPageHead(title, about)}
<p class="more"><a class="button" href="/console/keys">${messages.keys}</a></p>`;
  return { kind: 'page', status, title, body };
}

type NewKeyView = {
  readonly formId: string;
  readonly errors: FieldErrors;
  readonly status: number;
};

function renderForm(
  context: ConsoleContext,
  formInput: KeyFormValues,
  { formId, errors, status }: NewKeyView,
): ConsoleResponse {
  const { messages, account, livemode } = context;
  if (livemode && account.awaitsVerification) {
    return renderRefusal(context, messages.needsVerification, messages.awaits(account.email), 403);
  }
  const title = formInput.kind === 'sk' ? messages.newSk : messages.newAk;
  const { scopes, networks, budget, expires, neverContinues } = formInput;
  const texts = [networks, budget, neverContinues];
  const hasLimits = scopes.length > 0 || texts.some((text) => text !== '') || expires !== 'never';
  return {
    kind: 'page',
    status,
    title,
    body: html`${renderPageHead(title, messages.kinds[formInput.kind])}
${renderErrorSummary(context, errors)}
${renderPostForm(
  context,
  { action: PATH },
  html`<input type="hidden" name="form_id" value="${formId}">\
<input type="hidden" name="kind" value="${formInput.kind}">
${renderNameField(context, formInput, errors)}<details class="limits"${hasLimits && html` open`}>\
<summary>${messages.limitsOptional}</summary>
${renderLimitFields(context, formInput, errors)}</details>
<div class="acts"><button>${messages.createKey}</button>
<a href="/console/keys">${messages.cancel}</a></div>`,
)}`,
  };
}
