// Dependencies, requests and responses of the operators' pages, which both admin areas serve.
import type { Html } from '../../kernel/html/html.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { Language } from '../../kernel/web/language.ts';
import type { World } from '../../kernel/world.ts';
import type { OperatorRight } from '../roles.ts';
import type { OperatorSession, OperatorSessions } from '../sessions.ts';

export type OperatorPageContext = {
  readonly world: World;
  readonly db: Db;
  readonly site: { readonly url: string; readonly name: string; readonly language: Language };
  /** Address of the area for operators; absent: the site's address. */
  readonly areaUrl?: () => string;
  readonly sessions: OperatorSessions;
  readonly session: OperatorSession;
  /** Token for every form of this session. */
  readonly formToken: string;
  /** Why the session may not send the form of an action; null or absent: it is permitted. */
  readonly refusal?: (action: string) => string | null;
};

export type OperatorPageRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Form fields; empty for a GET. */
  readonly form: URLSearchParams;
};

export type OperatorPageResponse =
  | {
      readonly kind: 'page';
      /** 200 when absent. */
      readonly status?: number;
      readonly title: string;
      readonly section: 'operators';
      readonly main: Html;
    }
  | { readonly kind: 'moved'; readonly to: string };

export type OperatorPageRoute = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly right: OperatorRight;
  readonly handle: (
    context: OperatorPageContext,
    request: OperatorPageRequest,
  ) => Promise<OperatorPageResponse>;
};
