// Shows the prices of models by token, the imports that are not yet accepted, and the form for an
// import. Each import lists the changes that it would make now.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
  renderTickField,
} from '../../../kernel/web/forms.ts';
import {
  renderListTable,
  rowHeading,
  type TableCell,
  type TableColumn,
} from '../../../kernel/web/list-table.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { fetchPriceFile, parseMillionths } from '../../calls/fetch-price-file.ts';
import {
  type AcceptResult,
  acceptPrices,
  listProposals,
  type ModelPriceRow,
  type OpenProposal,
  proposePrices,
  readLastModelPrices,
} from '../../calls/plan-model-prices.ts';
import { importLitellm, type PriceChange } from '../../relay/prices/import-prices.ts';
import { compareModelClasses } from '../../relay/prices/token-classes.ts';
import { redirectWithNotice, renderDoneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { readFields } from '../form-fields.ts';
import { type RelayAdminMessages, relayAdminMessages } from '../messages/relay.ts';
import { formatYuan } from './format-money.ts';

const PATH = '/admin/prices/models';
const importFields = ['address', 'rate', 'margin', 'models'] as const;
type ImportInput = Readonly<Record<(typeof importFields)[number], string>>;
const emptyInput: ImportInput = { address: '', rate: '', margin: '0', models: '' };

export const modelPricesPage = async (
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> =>
  renderModelPrices(context, {
    formInput: emptyInput,
    errors: {},
    doneNotice: renderDoneNotice(context, request),
  });

type ModelPricesView = {
  readonly formInput: ImportInput;
  readonly errors: FieldErrors;
  readonly doneNotice?: Html;
  /** Message of a refused import. */
  readonly problem?: string;
};

async function renderModelPrices(
  context: GatewayAdminContext,
  { formInput, errors, doneNotice, problem }: ModelPricesView,
): Promise<GatewayAdminResponse> {
  const { db, site } = context;
  const messages = relayAdminMessages(site.language);
  const { rows } = await readLastModelPrices(db);
  const proposals = await listProposals(db);
  const isRefused = problem !== undefined;
  const statusOfForm = Object.keys(errors).length > 0 ? 422 : 200;
  const status = isRefused ? 409 : statusOfForm;
  return {
    kind: 'page',
    status,
    title: messages.modelPrices,
    section: 'prices',
    main: html`${renderPageHead(messages.modelPrices, messages.modelPricesAbout)}
${doneNotice}${isRefused && html`<p class="notice negative" role="alert">${problem}</p>`}
${renderErrorSummary(context, errors)}
<section class="part"><h2>${messages.proposals}</h2>${
      proposals.length === 0
        ? html`<p class="empty">${messages.noProposals}</p>`
        : proposals.map((proposal) => renderProposal(context, proposal, messages))
    }</section>
<section class="part">${
      rows.length === 0
        ? html`<p class="empty">${messages.noModelPrices}</p>`
        : renderPrices(context, rows, messages)
    }</section>
<section class="part"><h2>${messages.importFile}</h2>
${renderImportForm(context, { formInput, errors })}</section>`,
  };
}

const modelClassColumns = (messages: RelayAdminMessages): readonly TableColumn[] => [
  { label: messages.model },
  { label: messages.tokenClass },
  { label: messages.tier, isNumber: true },
  { label: messages.variant },
];

type ModelClass = Pick<ModelPriceRow, 'model' | 'class' | 'from' | 'variant'>;

const modelClassCells = (
  numberFormat: Intl.NumberFormat,
  { model, class: name, from, variant }: ModelClass,
): readonly TableCell[] => [
  rowHeading(model),
  html`<code>${name}</code>`,
  numberFormat.format(from),
  variant || '–',
];

function renderPrices(
  { site }: GatewayAdminContext,
  rows: readonly ModelPriceRow[],
  messages: RelayAdminMessages,
): Html {
  const numberFormat = new Intl.NumberFormat(site.language);
  const columns = [
    ...modelClassColumns(messages),
    { label: messages.price, isNumber: true },
    { label: messages.origin },
  ];
  return renderListTable(
    columns,
    rows
      .toSorted(compareModelClasses)
      .map((row) => [
        ...modelClassCells(numberFormat, row),
        formatYuan(row.microFen),
        messages.origins[row.origin],
      ]),
  );
}

function renderProposal(
  context: GatewayAdminContext,
  { id, sha256, changes }: OpenProposal,
  messages: RelayAdminMessages,
): Html {
  const largeField = {
    name: 'large',
    label: messages.largeChanges,
    chosen: [],
    choices: [{ value: 'yes', label: messages.acceptLarge }],
  };
  const hasLargeChanges = changes.some(({ isLargeChange }) => isLargeChange);
  const body = html`<p class="explains">${messages.acceptAbout}</p>
${hasLargeChanges && renderTickField(largeField)}<div class="acts">\
${renderButton(messages.accept)}</div>`;
  return html`<div class="planned"><p><b>${messages.proposalOf(id, sha256.slice(0, 12))}</b></p>
${
  changes.length === 0
    ? html`<p class="empty">${messages.nothingChanges}</p>`
    : html`${renderChanges(context, changes, messages)}\
${renderPostForm(context, { action: `${PATH}/${id}` }, body)}`
}</div>`;
}

function renderChanges(
  { site }: GatewayAdminContext,
  changes: readonly PriceChange[],
  messages: RelayAdminMessages,
): Html {
  const formatAmount = (value: bigint | null) => (value === null ? '–' : formatYuan(value));
  const numberFormat = new Intl.NumberFormat(site.language);
  const columns = [
    ...modelClassColumns(messages),
    { label: messages.before, isNumber: true },
    { label: messages.after, isNumber: true },
  ];
  return renderListTable(
    columns,
    changes
      .toSorted(compareModelClasses)
      .map((change) => [
        ...modelClassCells(numberFormat, change),
        formatAmount(change.before),
        html`${formatAmount(change.after)}${
          change.isLargeChange && html`<span class="warning below">${messages.large}</span>`
        }`,
      ]),
  );
}

function renderImportForm(
  context: GatewayAdminContext,
  { formInput, errors }: Pick<ModelPricesView, 'formInput' | 'errors'>,
): Html {
  const messages = relayAdminMessages(context.site.language);
  const labels = {
    address: messages.address,
    rate: messages.rate,
    margin: messages.margin,
    models: messages.onlyModels,
  };
  const body = html`${importFields.map((name) =>
    renderTextField({ name, label: labels[name], value: formInput[name], error: errors[name] }),
  )}<div class="acts">${renderButton(messages.importFile)}</div>`;
  return html`<p class="explains">${messages.importAbout}</p>
${renderPostForm(context, { action: PATH }, body)}`;
}

export async function importPrices(
  context: GatewayAdminContext,
  { form }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = relayAdminMessages(site.language);
  const formInput = readFields(form, importFields);
  const ratePpm = parseMillionths(formInput.rate, 0);
  // The margin is a percentage: its decimal point moves by two digits.
  const marginPpm = parseMillionths(formInput.margin, 2);
  const isValidRate = ratePpm !== null && ratePpm > 0n;
  if (!isValidRate || marginPpm === null) {
    const errors = {
      ...(!isValidRate && { rate: messages.wrongNumber }),
      ...(marginPpm === null && { margin: messages.wrongNumber }),
    };
    return renderModelPrices(context, { formInput, errors });
  }
  const ids = formInput.models.split(',').map((id) => id.trim());
  const models = formInput.models === '' ? null : new Set(ids);
  try {
    const text = await fetchPriceFile(world, formInput.address);
    const importedPrices = importLitellm(text, { ratePpm, marginPpm, models });
    if (importedPrices.rows.length === 0) {
      return renderModelPrices(context, { formInput, errors: { models: messages.noneFound } });
    }
    const numbers = { ratePpm: Number(ratePpm), marginPpm: Number(marginPpm), models };
    await withAudit(world, db, session, async (tx) => {
      const { id, changes } = await proposePrices(world, tx, { ...importedPrices, ...numbers });
      const after = { proposal: id, changes: changes.length, reference: formInput.address };
      const change = { action: 'propose', kind: 'prices', subject: 'prices' };
      return { outcome: null, entry: { ...change, before: {}, after, note: null } };
    });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'invalid_request') throw error;
    return renderModelPrices(context, { formInput, errors: { address: error.message } });
  }
  return { kind: 'moved', to: PATH };
}

export async function acceptProposal(
  context: GatewayAdminContext,
  { params, form }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, session, site } = context;
  const messages = relayAdminMessages(site.language);
  const options = { actor: session.name, acceptsLarge: form.get('large') === 'yes' };
  const { id = '' } = params;
  const acceptResult = await withAudit<AcceptResult>(world, db, session, (tx) =>
    acceptPrices(world, tx, id, options),
  );
  const renderRefusal = (problem: string) =>
    renderModelPrices(context, { formInput: emptyInput, errors: {}, problem });
  switch (acceptResult.kind) {
    case 'planned':
      return redirectWithNotice(PATH, 'plan');
    case 'unknown':
      throw new Fault('not_found', `There is no price proposal ${id}.`);
    case 'large':
      return renderRefusal(messages.largeRefused);
    case 'accepted_before':
      return renderRefusal(messages.acceptedBefore);
    default:
      return renderRefusal(messages.conflict);
  }
}
