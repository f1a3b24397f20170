// GET /openapi.json: the machine-readable description, made once from the schemas that validate.

import type { GatewayContext } from '../context.ts';
import { type Answer, type Asked, publicAnswer } from '../http-response.ts';
import { describeGateway } from '../openapi/describe-gateway.ts';
import { noParameters, readQuery } from '../read-query.ts';

const made = new WeakMap<GatewayContext, Answer>();

export async function answerOpenApi(context: GatewayContext, asked: Asked): Promise<Answer> {
  readQuery(asked.query, noParameters);
  const answer = made.get(context) ?? publicAnswer(JSON.stringify(describeGateway(context)));
  made.set(context, answer);
  return answer;
}
