// A Bundle in a life: its copies are ManifestWorks.
import { BUNDLE, BundleSpec } from '../../../../crds/bundle/bundle.ts';
import { BUNDLE_KEY, BUNDLE_REVISION, BUNDLE_UID } from '../../../../crds/labels.ts';
import { bundleWorkName, isWorkOfBundle } from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { readWritten } from '../../../../crds/written.ts';
import { keyOf, type KubeObject } from '../../../../kube/resource.ts';
import { aConfigMap, aDeployment } from '../../builders/fleet/bundles.ts';
import type { Stored } from '../api/objects.ts';
import { NAMESPACE } from '../world/names.ts';
import { BROKEN } from '../site/plain-works.ts';
import type { Copy, Lived } from './lived.ts';

const NAME = bundleWorkName({ namespace: NAMESPACE, name: 'many' });

export const BUNDLES: Lived = {
  kind: 'Bundle',
  resource: BUNDLE,
  copies: MANIFEST_WORK,
  parse: (spec) => BundleSpec.parse(spec),
  content: (n, isBroken) => ({
    manifests: [aConfigMap({ version: isBroken ? `${BROKEN}-${n}` : `v${n}` }), aDeployment()],
  }),
  copyOf: (object, { metadata }) => {
    const named = { namespace: NAMESPACE, name: metadata.name };
    return isWorkOfBundle(object, named) ? copyOf(object) : null;
  },
  isBrought: (world, { site, object }) => {
    const brought = world.site(site)?.plain.standing.get(NAME);
    const { workload } = (object as ManifestWork).spec ?? {};
    return brought?.verdict === 'Ready' && brought.text === JSON.stringify(workload?.manifests ?? []);
  },
  spoil: ({ server }, { object }, what) => {
    server.put<ManifestWork & KubeObject>(MANIFEST_WORK, keyOf(object), (work) => {
      if (work === null) return null;
      if (what === 'unmark') return unmarked(work);
      const manifests = [aConfigMap({ version: 'of somebody' }), aDeployment()];
      return { ...work, spec: { ...work.spec, workload: { manifests } } };
    });
  },
  mend: ({ server }) => {
    for (const object of server.all(MANIFEST_WORK)) {
      const { name, labels = {}, annotations = {} } = object.metadata;
      const isBare = labels[BUNDLE_KEY] === undefined && annotations[BUNDLE_REVISION] === undefined;
      if (name === NAME && isBare) server.remove(MANIFEST_WORK, keyOf(object));
    }
  },
};

/** A site may take labels off a work. */
function unmarked(work: ManifestWork & KubeObject): ManifestWork & KubeObject {
  const { [BUNDLE_KEY]: _key, [BUNDLE_UID]: _uid, ...labels } = work.metadata.labels ?? {};
  return { ...work, metadata: { ...work.metadata, labels } };
}

function copyOf(object: Stored): Copy {
  const { metadata, status } = object as ManifestWork;
  const isGoing = metadata.deletionTimestamp !== undefined;
  const written = readWritten(metadata.annotations?.[BUNDLE_REVISION]);
  const applied = status?.conditions?.find(({ type }) => type === 'Applied');
  const rules = (status?.resourceStatus?.manifests ?? []).flatMap(({ conditions = [] }) => conditions);
  const isTold = applied?.status === 'True' && applied.observedGeneration === metadata.generation;
  const isReady = !isGoing && isTold && rules.every((one) => one.status === 'True');
  const isFailed = rules.some(({ message = '' }) => message.startsWith('Failed: '));
  return { site: metadata.namespace ?? '', written, isReady, isFailed, isDisabled: false, isGoing, object };
}
