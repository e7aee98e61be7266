// What the bridge keeps in Temporal beside the workflows of Capps.
import type { Client } from '@temporalio/client';
import type { Logger } from '../process/log.ts';
import type { SiteOpenings } from '../../bridge/changes/openings.ts';
import type { BridgeWatched } from '../../bridge/changes/watched.ts';
import { gatewayKeyOf } from '../process/config.ts';
import { keptBundles } from '../../bridge/fleet/bundles.ts';
import { keepFleets, keepSipClusters } from '../../bridge/fleet/keep.ts';
import { keptSets } from '../../bridge/fleet/sets.ts';
import { keepJoins, type JoinsWatched } from '../../bridge/joins/keep.ts';
import { keptSipClusters, type MetalWatch } from '../../bridge/metal/sip-clusters.ts';
import { keepDrains } from '../../bridge/sites/drains.ts';
import { keepDrills } from '../../bridge/sites/drills.ts';
import { followIdentities } from '../../bridge/sites/identities.ts';
import { keepSchedules } from '../../bridge/sites/schedules.ts';
import { keepSites } from '../../bridge/sites/site-workflows.ts';
import { BRIDGE_TIMES } from '../../bridge/times.ts';

export interface KeptParts {
  readonly client: Client;
  readonly watched: BridgeWatched;
  readonly openings: SiteOpenings;
  /** Certificate requests of clusters; null where nobody is accepted by a token. */
  readonly requests: JoinsWatched['requests'] | null;
  /** ClusterJoins; null where none counts. */
  readonly declared: NonNullable<JoinsWatched['declared']> | null;
  /** SIPClusters and hosts; null where none are reserved. */
  readonly metal: MetalWatch | null;
  readonly logger: Logger;
  readonly config: {
    readonly SCORE_INTERVAL_SECONDS: number;
    readonly GATEWAY_CERTIFICATE?: string | undefined;
  };
}

/** Of CappSets, Bundles and SIPClusters. */
function keepForObjects({
  client,
  watched,
  openings,
  metal,
  logger,
}: Pick<KeptParts, 'client' | 'watched' | 'openings' | 'metal' | 'logger'>) {
  const of = (what: string) => (workflow: string, error: unknown) =>
    logger.warn(
      { workflow, err: error },
      `workflow of a ${what} could not be started, rung or ended, will be retried`,
    );
  const fleets = keepFleets(
    client,
    [keptSets(watched, openings), keptBundles(watched, openings)],
    of('CappSet or Bundle'),
  );
  return metal === null
    ? [fleets]
    : [
        fleets,
        keepSipClusters(
          client,
          keptSipClusters({
            ...metal,
            clusters: watched.clusters,
            drains: watched.drains,
            secrets: watched.secrets,
          }),
          of('SIPCluster'),
        ),
      ];
}

/** What Drains ask for: drains, and drills. */
function keepForDrains({ client, watched, logger }: Pick<KeptParts, 'client' | 'watched' | 'logger'>) {
  const onError = (cluster: string, error: unknown): void =>
    logger.warn(
      { cluster, err: error },
      'the workflow of a Drain could not be started or rung, will be retried',
    );
  return [keepDrains(client, watched, onError), keepDrills(client, watched, onError)];
}

/**
 * What the bridge keeps in Temporal beside Capps: of each site its workflow, its Schedule and what its Drain
 * asks for; CappSets, Bundles and SIPClusters.
 */
export function keepForSites(parts: KeptParts) {
  const { client, watched, requests, declared, logger, config } = parts;
  const ofCluster = (message: string) => (cluster: string, error: unknown) =>
    logger.warn({ cluster, err: error }, message);
  const of = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const sites = keepSites(client, watched, ofCluster('site workflow could not be started, will be retried'));
  const orders = keepForDrains(parts);
  const objects = keepForObjects(parts);
  const joins =
    requests === null
      ? null
      : keepJoins(
          client,
          { ...watched, requests, declared },
          ofCluster('the workflow of a cluster that joins could not be started or rung, will be retried'),
        );
  const schedules = keepSchedules({
    client,
    watched,
    intervals: {
      score: config.SCORE_INTERVAL_SECONDS,
      identity: config.GATEWAY_CERTIFICATE !== undefined ? BRIDGE_TIMES.identity.ms / 1_000 : 0,
    },
    onError: (schedule, error) =>
      logger.warn({ schedule, err: error }, 'Schedule could not be created or updated, will be retried'),
  });
  const identities = followIdentities({
    client,
    watched,
    certificate: gatewayKeyOf(config),
    onError: ofCluster('the identity of the agent could not be looked at, will be retried'),
  });
  return {
    ensure: () => {
      sites.ensureAll();
      void schedules.ensureAll().catch(of('Schedules could not be listed, will be retried'));
      for (const one of orders)
        void one.compare().catch(of('workflows could not be compared with Drains, will be retried'));
      void joins
        ?.compare()
        .catch(of('workflows could not be compared with clusters that join, will be retried'));
      for (const one of objects)
        void one
          .compare()
          .catch(
            of('workflows could not be compared with CappSets, Bundles or SIPClusters, will be retried'),
          );
    },
    stop: () => {
      const kept = [sites, schedules, identities, ...orders, ...objects, ...(joins === null ? [] : [joins])];
      return Promise.all(kept.map((one) => one.stop()));
    },
  };
}
