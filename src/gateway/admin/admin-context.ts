// Defines the types of the gateway's admin pages: their dependencies, requests and responses.

import type { Networks } from '../../kernel/client-address/networks.ts';
import type { Html } from '../../kernel/html/html.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { FormAssets } from '../../kernel/web/form-page.ts';
import type { Language } from '../../kernel/web/language.ts';
import type { TextDownload } from '../../kernel/web/operator-area.ts';
import type { World } from '../../kernel/world.ts';
import type { OperatorRight } from '../../operators/roles.ts';
import type { OperatorSession, OperatorSessions } from '../../operators/sessions.ts';
import type { AccountDeletion } from '../accounts/delete-account.ts';
import type { LimitSettings } from '../calls/admit.ts';
import type { CallDeps } from '../calls/call.ts';
import type { CapabilityStatus } from '../calls/catalog.ts';
import type { Capability } from '../capabilities/capability.ts';
import type { ProviderCosts } from '../capabilities/providers-config.ts';
import type { RelayConfig } from '../relay/relay-config.ts';
import type { TopUps } from '../wallet/top-ups/open-top-ups.ts';

export type GatewayAdminDeps = {
  readonly world: World;
  readonly db: Db;
  readonly site: {
    readonly url: string;
    readonly name: string;
    readonly language: Language;
    /** Address of the radar's admin area. */
    readonly radarAdminUrl: string;
  };
  readonly sessions: OperatorSessions;
  /** Networks that may open the area; null: every network. */
  readonly networks: Networks | null;
  /** Address of the area for operators; absent: the site's address. */
  readonly areaUrl?: () => string;
  readonly calls: Pick<CallDeps, 'prices' | 'switches' | 'jobs'>;
  readonly capabilities: readonly Capability[];
  readonly topUps: Pick<TopUps, 'sync'>;
  readonly deletion: AccountDeletion;
  readonly limits: LimitSettings;
  /** The chat relay; absent: not configured. */
  readonly chat?: CapabilityStatus;
  /** Names of the relay's upstreams, among all providers. */
  readonly upstreams: readonly string[];
  /** Configured models of the relay, by id. */
  readonly routes: RelayConfig['models'];
  /** Cost of a unit of a capability for the operator, where known. */
  readonly costs: ProviderCosts;
  /** Queues an integrity check of the ledger for the next free worker. */
  queueIntegrityCheck(): Promise<void>;
};

/** Context of one admin page. */
export type GatewayAdminContext = GatewayAdminDeps & {
  readonly assets: FormAssets;
  readonly session: OperatorSession;
  /** Token for every form of this session. */
  readonly formToken: string;
  /**
   * The reason why the session may not submit the form of an action; null: submitting is permitted.
   */
  readonly refusal?: (action: string) => string | null;
};

export type GatewayAdminRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Form fields; empty for a GET. */
  readonly form: URLSearchParams;
};

export const sections = [
  'overview',
  'revenue',
  'accounts',
  'top-ups',
  'vouchers',
  'invitations',
  'prices',
  'providers',
  'jobs',
  'chat',
  'ledger',
  'operators',
  'audit',
] as const;

export type GatewayAdminSection = (typeof sections)[number];

export type GatewayAdminPage = {
  readonly kind: 'page';
  /** 200 when absent. */
  readonly status?: number;
  readonly title: string;
  readonly section: GatewayAdminSection;
  readonly main: Html;
};

export type GatewayAdminResponse =
  | GatewayAdminPage
  /** Redirects after an action, so that a reload does not repeat it. */
  | { readonly kind: 'moved'; readonly to: string }
  | TextDownload;

export type GatewayAdminRoute = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly right: OperatorRight;
  readonly handle: (
    context: GatewayAdminContext,
    request: GatewayAdminRequest,
  ) => Promise<GatewayAdminResponse>;
};
