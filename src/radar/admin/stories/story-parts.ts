// The parts of a story's page that list operators' changes: active pins, and past actions.
// Each action except an undo can be undone once.

import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { langAttribute, markLanguage } from '../../../kernel/html/text-language.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderChoiceField,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { readItemTitles } from '../../publication/operator-titles.ts';
import type { StoryRecord } from '../../stories/operator/show-story.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { adminMessages } from '../messages/messages.ts';

export function renderUndoForm(
  context: RadarPageContext,
  story: StoryRecord,
  actionId: string,
): Html {
  const messages = adminMessages(context.site.language);
  const body = html`<input type="hidden" name="act" value="${actionId}">\
${renderButton(messages.undo, 'link')}`;
  return renderPostForm(context, { action: `/admin/stories/${story.id}/undo` }, body);
}

export function renderActions(context: RadarPageContext, story: StoryRecord): Html {
  const { language } = context.site;
  const messages = adminMessages(language);
  if (story.actions.length === 0) return nothing;
  return html`<section class="part"><h2 class="side">${messages.acts}</h2>\
<ul class="side-list">${story.actions.map(
    (act) => html`<li>${messages.actions[act.action] ?? act.action}
<span class="meta"><span>${act.actor === 'engine' ? messages.engine : act.actor}</span>\
<span>${renderDateTime(context, act.at)}</span>\
${
  act.note && html`<span>“${markLanguage(act.note, language)}”</span>`
}${act.undone_by !== null && html`<span>${messages.undone}</span>`}</span>\
${act.action !== 'undo' && act.undone_by === null && renderUndoForm(context, story, act.id)}</li>
`,
  )}</ul></section>`;
}

/** A refused form: its errors by field, and the submitted values. */
export type RejectedForm = { readonly errors: FieldErrors; readonly formInput: URLSearchParams };

/** Lists the pins. A pin may also contain a report of another story. */
export async function renderPins(
  context: RadarPageContext,
  story: StoryRecord,
  { errors, formInput }: RejectedForm,
): Promise<Html> {
  const { language } = context.site;
  const messages = adminMessages(language);
  const { members, pins, version } = story;
  const pinnedIds = pins.flatMap((pin) => [pin.item_id, pin.other_item_id ?? '']).filter(Boolean);
  const titles = await readItemTitles(context.db, pinnedIds);
  const renderPinnedItem = (id: string) => {
    const title = titles.get(id) ?? id;
    return html`<a href="/admin/items/${id}">${markLanguage(title, language)}</a>`;
  };
  const path = `/admin/stories/${story.id}`;
  const list = pins.map(
    (pin) => html`<li><span class="label">${messages.pinKinds[pin.kind]}</span>
${renderPinnedItem(pin.item_id)}\
${
  pin.other_item_id !== null &&
  html` – \
${renderPinnedItem(pin.other_item_id)}`
}
${renderPostForm(
  context,
  { action: `${path}/unpin`, version },
  html`<input type="hidden" name="pin" value="${pin.id}">${renderButton(messages.unpin, 'link')}`,
)}</li>
`,
  );
  const itemOptions = members.map(({ itemId, title }) => {
    return { value: itemId, label: title, lang: langAttribute(title, language) };
  });
  const kinds = Object.entries(messages.pinKinds).map(([value, label]) => ({ value, label }));
  const isOpen = formInput.has('kind');
  const inputValue = (name: string) => (isOpen ? (formInput.get(name) ?? '') : '');
  const chosenKind = inputValue('kind') || 'must-link';
  const kindField = { name: 'kind', label: messages.pinKind, value: chosenKind, choices: kinds };
  const form = html`${renderChoiceField(kindField)}
${renderChoiceField({
  name: 'item',
  label: messages.report,
  value: inputValue('item'),
  choices: itemOptions,
})}
${renderTextField({
  name: 'other',
  label: messages.otherItem,
  value: inputValue('other'),
  help: messages.otherItemHelp,
  error: errors.other,
})}
${renderButton(messages.pin, 'quiet')}`;
  return html`<section class="part"><h2 class="side">${messages.pins}</h2>
<ul class="side-list">${list}</ul>
${
  members.length > 0 &&
  html`<details${isOpen && html` open`}><summary>${messages.addPin}</summary>${renderPostForm(
    context,
    { action: `${path}/pin`, version, className: 'spaced' },
    form,
  )}</details>`
}</section>`;
}
