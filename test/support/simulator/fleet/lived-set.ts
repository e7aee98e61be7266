// A CappSet in a life: its copies are Capps.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_SET, CappSetSpec } from '../../../../crds/set/cappset.ts';
import { setOf, writtenOf } from '../../../../crds/set/child.ts';
import { aTemplate } from '../../builders/fleet/sets.ts';
import type { Stored } from '../api/objects.ts';
import { NAMESPACE, keyOfName } from '../world/names.ts';
import { BROKEN } from '../site/plain-works.ts';
import { keyOf } from '../../../../kube/resource.ts';
import type { Copy, Lived } from './lived.ts';

export const SETS: Lived = {
  kind: 'CappSet',
  resource: CAPP_SET,
  copies: CAPP,
  parse: (spec) => CappSetSpec.parse(spec),
  content: (n, isBroken) => ({ template: aTemplate(isBroken ? `${BROKEN}:${n}` : `app:${n}`) }),
  copyOf: (object, { metadata }) => {
    const isOwn = setOf(object) === `${NAMESPACE}/${metadata.uid ?? ''}`;
    return isOwn ? copyOf(object) : null;
  },
  isBrought: (world, { site, object }) =>
    world.site(site)?.standing.get(keyOfName(object.metadata.name))?.uid === object.metadata.uid,
  spoil: ({ server }, { object }, what) => {
    const state = what === 'edit' ? 'disabled' : 'enabled';
    server.put<Capp>(CAPP, keyOf(object), (capp) =>
      capp === null ? null : { ...capp, spec: { ...capp.spec, state } },
    );
  },
  mend: ({ server }) => {
    for (const object of server.all(CAPP))
      if (writtenOf(object.metadata) !== null) server.remove(CAPP, keyOf(object));
  },
};

/** What a Capp says when only a person or another revision helps. */
const FAULTS: ReadonlySet<string> = new Set([
  'ImageNeverReady',
  'MissingReference',
  'Refused',
  'Rejected',
  'RolloutFailed',
]);

function copyOf(object: Stored): Copy {
  const { metadata, spec, status } = object as unknown as Capp;
  const isGoing = metadata.deletionTimestamp !== undefined;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const isReady = !isGoing && ready?.status === 'True' && ready.observedGeneration === metadata.generation;
  return {
    site: spec.site ?? '',
    written: writtenOf(metadata),
    isReady,
    isFailed: FAULTS.has(ready?.reason ?? ''),
    isDisabled: spec.state === 'disabled',
    isGoing,
    object,
  };
}
