// Opens ports beside the public ports: for the admin areas (`admin.port`) and the metrics
// (`metrics.port`).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { assetResponse } from '../kernel/html/asset-response.ts';
import { explainListenFault } from '../kernel/http/listen-failure.ts';
import { type MetricsRequest, openMetricsAccess } from '../kernel/http/metrics-access.ts';
import {
  formatSecurityText,
  SECURITY_TEXT_PATH,
  SECURITY_TEXT_TYPE,
} from '../kernel/http/security-text.ts';
import { openSideServer, sendText } from '../kernel/http/side-server.ts';
import { METRICS_TYPE } from '../kernel/observability/metrics.ts';
import type { FormHandler } from '../kernel/web/form-handler.ts';
import { type AppRun, hostInUrl } from './serve/run.ts';

type Area = 'radar' | 'gateway';
type ConfiguredRun = Pick<AppRun, 'config'>;

/** The port of an admin area; null: it is on the public port of its product. */
export function adminPort({ config }: ConfiguredRun, area: Area): number | null {
  const { port } = config.file.admin;
  // The radar and the gateway may be processes of their own, so they cannot share one port.
  return port === undefined || port === 0 || area === 'radar' ? (port ?? null) : port + 1;
}

/** The address of an admin area; `publicUrl` when the area has no port of its own. */
export function adminUrl(run: ConfiguredRun, area: Area, publicUrl: string): string {
  const port = adminPort(run, area);
  if (port === null) return publicUrl;
  const { radarUrl, gatewayUrl } = run.config.file.admin;
  const configuredUrl = area === 'radar' ? radarUrl : gatewayUrl;
  return configuredUrl ?? `http://${hostInUrl(run.config.host)}:${port}`;
}

/**
 * Opens an admin area on a port of its own, and returns its address. Other paths of the port
 * redirect to the public site.
 */
export async function openAdminPort(
  run: AppRun,
  area: Area,
  { admin, publicUrl }: { readonly admin: FormHandler; readonly publicUrl: () => string },
): Promise<string> {
  const { config, clients, components, options } = run;
  const { host } = config;
  const port = adminPort(run, area) ?? 0;
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '/').replace(/\?.*$/s, '');
    if (path === '/admin' || path.startsWith('/admin/')) return admin.handle(req, res);
    const isReadMethod = req.method === 'GET' || req.method === 'HEAD';
    // A target in absolute form (RFC 9112, 3.2.2) must not become part of a host's name.
    if (!isReadMethod || !path.startsWith('/')) return sendText(res, 404);
    const asset = admin.assets.find((asset) => asset.path === path);
    if (asset !== undefined) {
      const { headers, bytes } = assetResponse(asset, req.headers['accept-encoding']);
      res.writeHead(200, { ...headers, 'content-length': bytes.length });
      res.end(req.method === 'HEAD' ? undefined : bytes);
      return;
    }
    const text = securityTextOf(run);
    if (path === SECURITY_TEXT_PATH && text !== null) {
      res.writeHead(200, { 'content-type': SECURITY_TEXT_TYPE });
      res.end(req.method === 'HEAD' ? undefined : text);
      return;
    }
    if (path === '/healthz' || path === '/readyz' || path === '/metrics') return sendText(res, 404);
    const target = path === '/' ? '/admin' : `${publicUrl()}${path}`;
    res.writeHead(302, { location: target, 'cache-control': 'no-store', 'content-length': 0 });
    res.end();
  };
  const server = await openSideServer({ host, port, clients }, handle).catch((error) => {
    throw explainListenFault({ host, port, variable: 'admin.port' }, error);
  });
  components.push({ name: `admin area of the ${area}`, close: server.close });
  const displayUrl =
    port === 0 ? `http://${hostInUrl(host)}:${server.port}` : adminUrl(run, area, '');
  options.terminal.out(`Admin     ${displayUrl}/admin (${area})\n`);
  return displayUrl;
}

/**
 * Whether a request to a public port may read the metrics; false when the metrics have their own
 * port.
 */
export function metricsAccess({ config, clients }: AppRun): (req: MetricsRequest) => boolean {
  const { metrics } = config.file;
  return metrics.port === undefined ? openMetricsAccess({ ...metrics, clients }) : () => false;
}

/** Opens `metrics.port`, if it is set. */
export async function openMetricsPort(run: AppRun): Promise<void> {
  const { config, clients, metrics, components, options } = run;
  const { host } = config;
  const { port } = config.file.metrics;
  if (port === undefined) return;
  const canReadMetrics = openMetricsAccess({ ...config.file.metrics, clients });
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '/').replace(/\?.*$/s, '');
    const isReadMethod = req.method === 'GET' || req.method === 'HEAD';
    if (!isReadMethod || path !== '/metrics' || !canReadMetrics(req)) return sendText(res, 404);
    const text = await metrics.text();
    res.writeHead(200, { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' });
    res.end(req.method === 'HEAD' ? undefined : text);
  };
  const server = await openSideServer({ host, port, clients }, handle).catch((error) => {
    throw explainListenFault({ host, port, variable: 'metrics.port' }, error);
  });
  components.push({ name: 'metrics', close: server.close });
  options.terminal.out(`Metrics   http://${hostInUrl(host)}:${server.port}/metrics\n`);
}

/** The text of `/.well-known/security.txt`; null: none is configured, or it expired. */
export function securityTextOf({ config, world }: Pick<AppRun, 'config' | 'world'>): string | null {
  const { securityTxt } = config.file;
  if (securityTxt === undefined || securityTxt.expires <= world.clock.now()) return null;
  return formatSecurityText(securityTxt);
}
