// What the bridge does at its start and then again and again, beside its watches.
import type { Client } from '@temporalio/client';
import type { Logger } from '../process/log.ts';
import type { Ringer } from '../../bridge/ringer.ts';
import type { Kube } from '../../kube/client.ts';
import type { Meter } from '../metrics/meter.ts';
import { currentBuild, buildIdOf, buildOf } from '../process/builds.ts';
import { failingWatch, type FailingOptions } from '../../bridge/failing/failing.ts';
import { leftoverWatch, type Leftover } from '../../bridge/resync/leftovers.ts';
import { ringForUnready, ringForStale, ringForMisplaced } from '../../bridge/resync/resync.ts';
import { workflowResync } from '../../bridge/resync/workflows.ts';
import { remembering, lastPollBy, type LastPoll } from '../../bridge/sites/pollers.ts';
import { listenForSilence } from '../../bridge/sites/silence.ts';
import { BRIDGE_TIMES } from '../../bridge/times.ts';
import { measureAgents } from './measures.ts';
import { keepPublishing } from '../../bridge/published/again.ts';
import { agentsOf } from '../../bridge/published/agents.ts';
import { lookAtTemporal } from '../../bridge/published/look.ts';
import { publisher } from '../../bridge/published/publish.ts';
import { othersWatch } from '../../bridge/failing/failing-others.ts';
import { keepForSites, type KeptParts } from './keepers.ts';

interface Parts extends KeptParts {
  readonly bell: Ringer;
  readonly meter: Meter;
  readonly config: KeptParts['config'] & {
    readonly AGENT_SILENT_SECONDS: number;
    readonly TEMPORAL_UI?: string | undefined;
    readonly TEMPORAL_NAMESPACE: string;
  } & Parameters<typeof buildOf>[0];
  readonly kube: Kube;
}

/**
 * What the bridge does at its start and then again and again, beside its watches. Gives the way to end it.
 */
export function lookAgain(parts: Parts): () => Promise<unknown> {
  const { client, watched, bell, logger, meter, config } = parts;
  const ofCluster = (message: string) => (cluster: string, error: unknown) =>
    logger.warn({ cluster, err: error }, message);
  const of = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const kept = keepForSites(parts);
  const lastPoll = remembering(lastPollBy(client), BRIDGE_TIMES.silence.ms / 2);
  const silence = listenForSilence({
    watched,
    ringer: bell,
    lastPoll,
    silentAfterMs: config.AGENT_SILENT_SECONDS * 1000,
    onError: ofCluster('pollers of the agent could not be read, will be retried'),
  });
  measureAgents(meter, silence);
  const lookForLeftovers = leftoverWatch(watched, (found) => tellOfLeftovers(logger, found));
  const resync = workflowResync(client, watched, bell);
  const lookForFailing = failingWatch({
    client,
    watched,
    ringer: bell,
    ...buildsFor(client, config, logger),
  });
  const stopPublishing = keepPublishing(publishing(parts, lastPoll));
  kept.ensure();
  ringForUnready(watched, bell);
  ringForStale(watched, bell);
  ringForMisplaced(watched, bell);
  lookForLeftovers();
  const timers = [
    setInterval(() => ringForStale(watched, bell), BRIDGE_TIMES.works.ms),
    setInterval(lookForLeftovers, BRIDGE_TIMES.works.ms),
    setInterval(watchOthers(client, logger), BRIDGE_TIMES.resync.ms),
    setInterval(() => void silence.look(), BRIDGE_TIMES.silence.ms),
    setInterval(() => {
      kept.ensure();
      void resync().catch(of('resync failed, will be retried'));
      void lookForFailing().catch(of('failing workflows could not be listed, will be retried'));
    }, BRIDGE_TIMES.resync.ms),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
    stopPublishing();
    silence.stop();
    return kept.stop();
  };
}

/** Gives the way to publish what only Temporal knows; it never throws. */
function publishing(
  { client, kube, watched, logger, config }: Parts,
  lastPoll: LastPoll,
): () => Promise<number> {
  const publish = publisher({
    kube,
    look: () => lookAtTemporal({ client, currentBuild: () => currentBuild(client) }),
    agents: agentsOf({ watched, lastPoll, silentAfterMs: config.AGENT_SILENT_SECONDS * 1000 }),
    own: {
      namespace: config.TEMPORAL_NAMESPACE,
      ui: config.TEMPORAL_UI ?? null,
      version: config.BUILD_NAME,
    },
  });
  return () =>
    publish().catch((error: unknown) => {
      logger.warn({ err: error }, 'HubStatus hub could not be written, will be retried');
      return BRIDGE_TIMES.published.ms;
    });
}

/** A bridge that does not know the current build restarts nothing, and still reports what fails. */
function buildsFor(
  client: Client,
  config: Parameters<typeof buildOf>[0],
  logger: Logger,
): Pick<FailingOptions, 'build' | 'currentBuild'> {
  const build = buildOf(config);
  if (build === null)
    return { build: buildIdOf({ name: config.BUILD_NAME, revision: 0 }), currentBuild: null };
  const unknown = (error: unknown): null => {
    logger.warn({ err: error }, 'the current build could not be read, so no failing workflow is restarted');
    return null;
  };
  return { build: buildIdOf(build), currentBuild: () => currentBuild(client).catch(unknown) };
}

function watchOthers(client: Client, logger: Logger): () => void {
  const look = othersWatch(client, (commands) => tellOfOthers(logger, commands));
  return () =>
    void look().catch((error: unknown) =>
      logger.warn(
        { err: error },
        'failing workflows of sites, drains and sets could not be listed, will be retried',
      ),
    );
}

function tellOfOthers(logger: Logger, commands: readonly string[]): void {
  if (commands.length === 0) logger.info('no workflow of a site or a drain fails any more');
  else
    logger.warn(
      { workflows: commands.length, commands },
      'workflows keep failing: the hub worker’s log says why. Each may be ended with its command; the bridge starts it again where a Drain asks for it',
    );
}

const NAMED_LEFTOVERS = 20;

/** A person decides, because what these works hold may be in use. */
function tellOfLeftovers(logger: Logger, found: readonly Leftover[]): void {
  const commands = found.slice(0, NAMED_LEFTOVERS).map(({ command }) => command);
  if (found.length === 0)
    logger.info({ works: 0 }, 'no ManifestWork that Cappstan did not create is left without a Capp');
  else
    logger.warn(
      { works: found.length, commands },
      'ManifestWorks that Cappstan did not create have lost their Capps: inspect them, then delete them by hand',
    );
}
