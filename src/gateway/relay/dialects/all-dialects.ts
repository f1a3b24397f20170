// All dialects of the relay.
import { chatDialect } from './chat.ts';
import type { ApiDialect } from './dialect.ts';
import { embeddingsDialect } from './embeddings.ts';
import { messagesDialect } from './messages.ts';
import { responsesDialect } from './responses.ts';

export const allDialects: readonly ApiDialect[] = [
  chatDialect,
  responsesDialect,
  messagesDialect,
  embeddingsDialect,
];
