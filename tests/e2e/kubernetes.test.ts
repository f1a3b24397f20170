// Checks deploy/kubernetes without a cluster: the schemas of Kubernetes, the references between the
// objects, and the commands and probes of the pods with real processes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createEmptyDatabase } from '../store/backup/databases.ts';
import { projectRoot } from '../support/checkout.ts';
import { sendRequest } from '../support/http-request.ts';
import { runRadarCommand, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { urlOf } from '../support/test-database.ts';

const file = join(projectRoot, 'deploy/kubernetes/content-radar.yaml');
const documents = parseAllDocuments(readFileSync(file, 'utf8')).map(
  (document) => document.toJS() as { readonly kind: string },
);

const models = { ConfigMap, Deployment, Job, PodDisruptionBudget, Service };
const objects = documents.map((document) => {
  const Model = models[document.kind as keyof typeof models];
  return new Model(document as never);
});
const objectsOf = <T>(model: abstract new (...args: never[]) => T): T[] =>
  objects.filter((object) => object instanceof model) as T[];
const deployments = objectsOf(Deployment);

const containerOf = (deployment: Deployment) => {
  const [container] = deployment.spec?.template.spec?.containers ?? [];
  if (container === undefined) throw new Error('a deployment has no container');
  return container;
};

describe('deploy/kubernetes', () => {
  test('has objects that the schemas of Kubernetes accept', () => {
    expect(objects).toHaveLength(9);
    for (const object of objects) expect(() => object.validate(), object.kind).not.toThrow();
  });

  test('has services and budgets that select the pods of a deployment', () => {
    const labels = deployments.map(({ spec }) => spec?.template.metadata?.labels);
    const selectors = [
      ...deployments.map(({ spec }) => spec?.selector.matchLabels),
      ...objectsOf(Service).map(({ spec }) => spec?.selector),
      ...objectsOf(PodDisruptionBudget).map(({ spec }) => spec?.selector?.matchLabels),
    ];
    for (const selector of selectors) expect(labels).toContainEqual(selector);
    for (const { spec } of objectsOf(Service)) {
      const targetPods = deployments.find(
        ({ spec: pods }) => pods?.selector.matchLabels?.part === spec?.selector?.part,
      );
      const ports = targetPods === undefined ? [] : (containerOf(targetPods).ports ?? []);
      expect(ports.map(({ name }) => name)).toEqual(
        spec?.ports?.map(({ targetPort }) => targetPort),
      );
    }
  });

  test('has containers without privileges, as a user other than root, read-only', () => {
    const pods = [...deployments, ...objectsOf(Job)].map(({ spec }) => spec?.template.spec);
    for (const pod of pods) {
      expect(pod?.securityContext?.runAsNonRoot).toBe(true);
      expect(pod?.containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  test('has commands that migrate and serve, and probes that succeed', async () => {
    const { connection } = await createEmptyDatabase();
    const DATA_DIR = temporaryDataDir();
    const RADAR_CONFIG = join(DATA_DIR, 'radar.config.json');
    writeFileSync(RADAR_CONFIG, '{}');
    const env = { DATA_DIR, RADAR_CONFIG, DATABASE_URL: urlOf(connection) };
    const [first] = deployments;
    if (first === undefined) throw new Error('there is no deployment');
    const earlyProbe = await runRadarCommand([...(containerOf(first).args ?? [])], env);
    expect(earlyProbe).toMatchObject({ code: 1 });
    const [migration] = objectsOf(Job).map(({ spec }) => spec?.template.spec?.containers[0]?.args);
    expect(await runRadarCommand([...(migration ?? [])], env)).toMatchObject({ code: 0 });
    for (const deployment of deployments) {
      const { args = [], readinessProbe, livenessProbe } = containerOf(deployment);
      const serving = await startServing({ ...env, DATA_DIR: temporaryDataDir() }, args.slice(1));
      const origin = serving.url || serving.gatewayUrl;
      for (const probe of [readinessProbe, livenessProbe]) {
        if (probe === undefined) continue;
        const path = probe.httpGet?.path ?? '';
        expect((await sendRequest(origin, { path })).status, path).toBe(200);
      }
      expect(await serving.end('SIGTERM')).toBe(0);
    }
  });
});
