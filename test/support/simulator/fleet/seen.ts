// What the simulated API server has of the CappSet and its Capps.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import { setOf } from '../../../../crds/set/child.ts';
import { NAMESPACE } from '../world/names.ts';
import type { World } from '../world/world.ts';

export const SET_NAME = 'many';

export function readSet(world: World): CappSet | null {
  return world.server.read(CAPP_SET, { namespace: NAMESPACE, name: SET_NAME }) as CappSet | null;
}

/** Those of the set that is there now. */
export function childrenOf(world: World): Capp[] {
  const set = readSet(world);
  const key = `${NAMESPACE}/${set?.metadata.uid ?? ''}`;
  return (world.server.all(CAPP) as unknown as Capp[]).filter((capp) => setOf(capp) === key);
}

export function isReadyNow({ metadata, status }: Capp): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return (
    ready?.status === 'True' &&
    ready.observedGeneration === metadata.generation &&
    metadata.deletionTimestamp === undefined
  );
}
