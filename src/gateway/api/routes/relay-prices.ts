// Handles GET /api/v1/relay/prices, the public prices of models by token class. POST
// /api/v1/relay/quote returns the hold that a relay call would have; it creates no hold. Relay
// contract, 2.5.
import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { parseJson } from '../../../kernel/http/read-json-body.ts';
import { formatCny } from '../../../kernel/money.ts';
import { unknownModelFault } from '../../relay/allow-models.ts';
import { allDialects } from '../../relay/dialects/all-dialects.ts';
import { readMembers } from '../../relay/dialects/body-members.ts';
import type { ApiDialect, ModelRequest } from '../../relay/dialects/dialect.ts';
import type { ModelPrice, ModelPriceList } from '../../relay/prices/model-prices.ts';
import {
  type CallPrice,
  extendPrice,
  priceCall,
  refuseUnpriced,
} from '../../relay/prices/price-call.ts';
import { routeOfHold } from '../../relay/relay-config.ts';
import type { GatewayContext } from '../context.ts';
import {
  type ApiRequest,
  type GatewayResponse,
  privateJson,
  publicResponse,
} from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';
import { admitReader } from './admit-reader.ts';

export async function handleRelayPrices(
  context: GatewayContext,
  received: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(received.query, noParameters);
  const list = await context.calls.prices.models();
  return publicResponse(JSON.stringify(pricesOnWire(context, list)));
}

function pricesOnWire({ relay }: GatewayContext, list: ModelPriceList | null) {
  const models = list === null ? [] : [...list.models];
  return {
    version: list?.version ?? null,
    currency: 'CNY',
    unit: 'million_tokens',
    models: models.map(([id, prices]) => {
      const { maxInput, maxOutput } = relay.routeOf(id);
      return {
        id,
        max_input: maxInput ?? null,
        max_output: maxOutput ?? null,
        prices: prices.map(priceOnWire),
      };
    }),
  };
}

/** `variant` is the service tier; absent for the standard tier. */
const priceOnWire = ({ class: name, from, variant, microFen }: ModelPrice) => ({
  class: name,
  from,
  ...(variant !== '' && { variant }),
  price: formatCny(microFen),
});

/** The longest body of a relay call has 32 MiB. A quote adds the path. */
const QUOTE_BODY = { maxBytes: 33 * 1024 * 1024, tooLarge: 'A quote may have at most 33 MiB.' };
const PATH = /^\/(?:relay\/)?v1(\/.+)$/;
const quoteInput = z.strictObject({ path: z.string(), body: z.looseObject({}) });

export async function handleRelayQuote(
  context: GatewayContext,
  received: ApiRequest,
): Promise<GatewayResponse> {
  const { key } = await admitReader(context, received);
  readQuery(received.query, noParameters);
  const text = (await received.readBytes(QUOTE_BODY)).toString('utf8');
  await context.admission.admitBody(key, text);
  const { dialect, request } = readQuote(text);
  const list = await context.calls.prices.models();
  const { routeOf, price: perResponse } = context.relay;
  const price = priceCall({
    dialect,
    request,
    route: routeOfHold(routeOf, request.model),
    list,
    perResponse,
    ratios: context.calls.ratios,
  });
  if (price === null && key.livemode) throw unknownModelFault();
  const callPrice: CallPrice = price ?? { kind: 'free' };
  refuseUnpriced(dialect, request, callPrice);
  return privateJson({ model: request.model, ...quoteOf(callPrice) });
}

/**
 * Reads the body's text, so that a quote counts the same bytes as a call. Each character is parsed
 * once: first the members of the quote without the body, then the body.
 */
function readQuote(text: string): {
  readonly dialect: ApiDialect;
  readonly request: ModelRequest;
} {
  const body = readMembers(text).find(({ name }) => name === 'body');
  const bodyText = text.slice(body?.valueStart, body?.valueEnd);
  const emptyBody = bodyText.startsWith('{') ? '{}' : 'null';
  const outline =
    body === undefined
      ? text
      : text.slice(0, body.valueStart) + emptyBody + text.slice(body.valueEnd);
  const parsed = quoteInput.safeParse(parseJson(outline));
  if (!parsed.success) {
    throw new Fault(
      'invalid_request',
      'Send the fields "path", like "/relay/v1/messages", and "body", the request as an object.',
    );
  }
  const suffix = PATH.exec(parsed.data.path)?.[1];
  const dialect = allDialects.find(({ path }) => path === suffix);
  if (dialect === undefined) {
    const knownPaths = allDialects.map(({ path }) => `/relay/v1${path}`).join(', ');
    throw new Fault('invalid_request', `The field "path" must be one of ${knownPaths}.`, {
      members: { param: 'path' },
    });
  }
  return { dialect, request: dialect.readRequest(bodyText) };
}

function quoteOf(price: CallPrice) {
  switch (price.kind) {
    case 'free':
      return { price_version: null, bounds: null, lines: [], hold: '0', ceiling: '0' };
    case 'per_call': {
      const hold = formatCny(price.amount);
      const { perCall, responses } = price;
      const lines = [{ class: 'request', tokens: responses, price: formatCny(perCall) }];
      return { price_version: price.version, bounds: null, lines, hold, ceiling: hold };
    }
    case 'per_token': {
      const { inputTokens, outputTokens, outputMax, responses, ratio } = price.bounds;
      const { toolCalls, media } = price.bounds;
      const hold = formatCny(price.amount);
      const tiers = price.prices.filter(({ from }) => from <= inputTokens);
      return {
        price_version: price.list.version,
        bounds: {
          ratio,
          input_tokens: inputTokens,
          output_tokens: outputTokens,
          responses,
          tool_calls: toolCalls,
          images: media.images,
          pages: media.pages,
          audio_seconds: media.audioSeconds,
        },
        lines: tiers.map(priceOnWire),
        hold,
        // A stream without a limit can raise its hold up to the maximum of the model.
        ceiling: formatCny(extendPrice(price, outputMax).amount),
      };
    }
  }
}
