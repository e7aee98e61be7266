// Drain objects that the bridge carries to a real Temporal, where Capps leave the sites that they name.
import type { WorkflowKeeper } from '../../../../bridge/kept/keep.ts';
import { keepDrains } from '../../../../bridge/sites/drains.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { turnsWorkflowId } from '../../../../workflows/names.ts';
import { aResident } from '../../builders/drain/drains.ts';
import { openDrainTestbed, type DrainTestbed } from './drain.ts';
import { drainObjects, type DrainObjects } from './drain-objects.ts';

export interface KeptDrains {
  readonly objects: DrainObjects;
  readonly temporal: DrainTestbed;
  /** What the bridge could not do. */
  readonly errors: unknown[];
  /** A bridge that begins now. */
  beginBridge(): WorkflowKeeper;
  /** So many Capps are on the site, and whoever travels takes until it arrives. Returns their names. */
  settle(site: string, count: number): Promise<string[]>;
  /** Resolves when so many are under way. */
  underWay(count: number): Promise<true>;
  /** Resolves when the status of the site's Drain says so. */
  phase(site: string, wanted: string): Promise<true>;
  isRunning(site: string): Promise<boolean>;
  /** How often a Capp was told to leave. */
  left(): number;
}

/** In a namespace of Temporal; with the Drains of a former one whose data are lost. */
export async function openKeptDrains(
  namespace: 'drain-objects' | 'drain-objects-found' | 'drain-objects-again',
  workflowBundle: { readonly code: string },
  former: Pick<KeptDrains, 'objects' | 'errors'> = { objects: drainObjects(), errors: [] },
): Promise<KeptDrains> {
  const { objects, errors } = former;
  const address = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
  const options = { address, namespace, workflowBundle, objects: objects.activities };
  const temporal = await openDrainTestbed(options);
  return {
    objects,
    temporal,
    errors,
    beginBridge: () =>
      keepDrains(temporal.client, objects.watched, (_cluster, error) => void errors.push(error)),
    settle: async (site, count) => {
      const capps = Array.from({ length: count }, (_, index) => `${site}-${String(index).padStart(2, '0')}`);
      temporal.residents = capps.map((name) => aResident(name));
      await temporal.settle(site, capps);
      temporal.takes(null);
      return capps;
    },
    underWay: (count) => eventually(() => (temporal.underWay().length === count ? true : undefined)),
    phase: (site, wanted) =>
      eventually(() => {
        if (objects.statusOf(site).phase === wanted) return true;
        throw new Error(`the status is ${JSON.stringify(objects.statusOf(site))}`);
      }),
    isRunning: (site) =>
      temporal.client.workflow
        .getHandle(turnsWorkflowId(site))
        .describe()
        .then(
          ({ status }) => status.name === 'RUNNING',
          () => false,
        ),
    left: () => temporal.heard.filter(({ what }) => what === 'leave').length,
  };
}
