// Waits until every serving node has loaded the publication up to a sequence number. Nodes that do
// not confirm this in time are returned, because they may still show withdrawn content.

import { hostName, isProcessAlive } from '../../kernel/files/process.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { deleteNodes, listServingNodes, type ServingNode } from '../../store/platform/nodes.ts';

export type Confirmation =
  /** `nodes`: the number of nodes. */
  | { readonly kind: 'confirmed'; readonly nodes: number }
  /** `nodes`: host and process of each node without a confirmation. */
  | { readonly kind: 'unconfirmed'; readonly nodes: readonly string[] };

const PAUSE_MS = 20;

/**
 * `seq`: the publication's sequence number that every node must reach. `withinMs`: the time limit;
 * the feed contract requires 1,000.
 */
export async function awaitNodes(
  world: World,
  db: Db,
  seq: number,
  withinMs: number,
): Promise<Confirmation> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    const nodes = await findRunningNodes(world, db);
    const laggingNodes = nodes.filter((node) => node.edition_seq < seq);
    if (laggingNodes.length === 0) return { kind: 'confirmed', nodes: nodes.length };
    if (waitedMs >= withinMs) {
      return {
        kind: 'unconfirmed',
        nodes: laggingNodes.map((node) => `${node.host} (process ${node.pid})`),
      };
    }
    await world.clock.sleep(PAUSE_MS);
  }
}

const UNSEEN_LIMIT_MS = 3_600_000;

/**
 * Returns the nodes that may serve readers, and deletes stopped nodes. A node without a database
 * connection counts as stopped in two cases. Either its process on this host has ended, or it was
 * not seen for an hour.
 */
async function findRunningNodes(world: World, db: Db): Promise<readonly ServingNode[]> {
  const nodes = await listServingNodes(db);
  const stoppedNodes = nodes.filter((node) => !node.isConnected && isStopped(world, node));
  await deleteNodes(
    db,
    stoppedNodes.map((node) => node.id),
  );
  return nodes.filter((node) => !stoppedNodes.includes(node));
}

function isStopped(world: World, node: ServingNode): boolean {
  const isOnThisHost = node.host === hostName();
  const unseenMs = world.clock.now() - node.seen_at;
  return (isOnThisHost && !isProcessAlive(node.pid)) || unseenMs > UNSEEN_LIMIT_MS;
}
