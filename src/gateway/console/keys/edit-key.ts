// Changes a key's name and limits. The key itself is unchanged and never shown. When two editors
// save concurrently, the second editor sees the changes of the first editor. The form keeps the
// second editor's input.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDate } from '../../../kernel/web/format-time.ts';
import {
  type Difference,
  type FieldErrors,
  renderConflictNotice,
  renderErrorSummary,
  renderPostForm,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { editKey, isEnded } from '../../keys/change-keys.ts';
import type { Key } from '../../keys/key.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { redirectWithNotice } from '../shell/notice.ts';
import { requireKey, showRefusal } from './key.ts';
import {
  type KeyFormValues,
  parseKeyForm,
  readKeyFormValues,
  renderLimitFields,
  renderNameField,
  toFormValues,
} from './key-form.ts';
import { formatScopes } from './keys.ts';

export async function editKeyPage(
  context: ConsoleContext,
  { params }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, messages } = context;
  const key = await requireKey(context, params.id ?? '');
  if (isEnded(key, world.clock.now())) return showRefusal(context, key.id, messages.endedBefore);
  if (key.replacedBy !== null) return showRefusal(context, key.id, messages.rotatedEdit);
  return renderForm(context, key, toFormValues(key), { notice: nothing, errors: {}, status: 200 });
}

export async function saveKey(
  context: ConsoleContext,
  { params, form, from }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, account, messages, securityLog } = context;
  const key = await requireKey(context, params.id ?? '');
  const formInput = readKeyFormValues(form, key.kind, key.scopes);
  const version = versionOf(form) ?? 0;
  const input = parseKeyForm(messages, formInput, {
    now: world.clock.now(),
    mayKeepExpiry: key.expiresAt !== null,
  });
  if (input.kind === 'invalid') {
    const { errors } = input;
    // The form keeps the version that this editor loaded, because another editor may have saved
    // since then.
    return renderForm(context, { ...key, version }, formInput, {
      notice: nothing,
      errors,
      status: 422,
    });
  }
  const edit = { id: key.id, accountId: account.id, version, limits: input.limits };
  const editResult = await securityLog.record(
    { accountId: account.id, origin: from },
    async (tx) => {
      const outcome = await editKey(world, tx, edit);
      const { name: subject } = input.limits;
      return { outcome, event: outcome.kind === 'saved' ? { kind: 'key_changed', subject } : null };
    },
  );
  switch (editResult.kind) {
    case 'saved':
      return redirectWithNotice(`/console/keys/${key.id}`, 'keySaved');
    case 'conflict': {
      const notice = renderConflictNotice(
        context,
        findDifferences(context, editResult.current, formInput),
        null,
      );
      return renderForm(context, editResult.current, formInput, {
        notice,
        errors: {},
        status: 409,
      });
    }
    case 'replaced':
      return showRefusal(context, key.id, messages.rotatedEdit);
    case 'ended':
      return showRefusal(context, key.id, messages.endedBefore);
    case 'not_found':
      throw new Fault('not_found', messages.noSuchKey);
  }
}

/** Lists the fields in which the stored key and the input differ, as readable text. */
function findDifferences(
  context: ConsoleContext,
  key: Key,
  inputValues: KeyFormValues,
): readonly Difference[] {
  const { messages } = context;
  const [current, formInput] = [
    formatFields(context, key, toFormValues(key)),
    formatFields(context, key, inputValues),
  ];
  const labels = {
    name: messages.keyName,
    scopes: messages.keyScopes,
    expires: messages.expires,
    budget: messages.budget,
    networks: messages.networks,
    neverContinues: messages.brokenStreams,
  };
  return (Object.keys(labels) as (keyof typeof labels)[])
    .filter((field) => current[field] !== formInput[field])
    .map((field) => ({
      label: labels[field],
      currentValue: current[field],
      formInput: formInput[field],
    }));
}

function formatFields(
  { messages, site, world }: ConsoleContext,
  { expiresAt }: Key,
  formInput: KeyFormValues,
) {
  const { name, scopes, expires, budget, period, networks } = formInput;
  const periods: Readonly<Record<string, string>> = messages.periods;
  return {
    name,
    scopes: scopes.length === 0 ? messages.everything : formatScopes(site.language, scopes),
    expires:
      expires === 'keep' && expiresAt !== null
        ? formatDate(site.language, expiresAt, world.clock.now())
        : (messages.expiresChoices[expires] ?? expires),
    budget: budget === '' ? messages.noBudget : `${budget} · ${periods[period] ?? period}`,
    networks:
      networks.trim() === ''
        ? messages.anywhere
        : networks
            .trim()
            .split(/[\s,]+/)
            .join(', '),
    neverContinues: formInput.neverContinues === '' ? messages.mayContinue : messages.neverContinue,
  };
}

type EditKeyView = { readonly notice: Html; readonly errors: FieldErrors; readonly status: number };

function renderForm(
  context: ConsoleContext,
  key: Key,
  formInput: KeyFormValues,
  { notice, errors, status }: EditKeyView,
): ConsoleResponse {
  const { messages, site } = context;
  const { id, expiresAt, version } = key;
  const title = messages.editKeyTitle(key.name);
  const previousScopes = key.scopes;
  const keepLabel =
    expiresAt === null
      ? null
      : messages.expiresKeep(formatDate(site.language, expiresAt, context.world.clock.now()));
  const limits = renderLimitFields(context, formInput, errors, { keep: keepLabel, previousScopes });
  return {
    kind: 'page',
    status,
    title,
    body: html`${renderPageHead(title, messages.editKeyAbout)}
${notice}${renderErrorSummary(context, errors)}
${renderPostForm(
  context,
  { action: `/console/keys/${id}/edit`, version },
  html`${renderNameField(context, formInput, errors)}${limits}
<div class="acts"><button>${messages.saveKey}</button>
<a href="/console/keys/${id}">${messages.cancel}</a></div>`,
)}`,
  };
}
