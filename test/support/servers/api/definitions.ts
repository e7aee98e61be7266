// CRDs for tests: ours, and minimal ones for kinds of others, whose controllers the test replaces.
import { BUNDLE } from '../../../../crds/bundle/bundle.ts';
import { BUNDLE_REVISION_KIND } from '../../../../crds/bundle/bundle-revision.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import {
  BUNDLE_DEFINITION,
  BUNDLE_REVISION_DEFINITION,
  CAPP_DEFINITION,
  CAPP_SET_DEFINITION,
  DRAIN_DEFINITION,
  HUB_STATUS_DEFINITION,
  RCS_CONFIG_DEFINITION,
  SET_REVISION_DEFINITION,
} from '../../../../crds/definitions/definitions.ts';
import { CAPP_REVISION_DEFINITION } from '../../../../crds/definitions/of-sites.ts';
import { CAPP_REVISION } from '../../../../crds/capp-revision.ts';
import { DRAIN } from '../../../../crds/drain/drain.ts';
import { HUB_STATUS } from '../../../../crds/hub/hub-status.ts';
import { RCS_CONFIG } from '../../../../crds/hub/rcs-config.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { SET_REVISION_KIND } from '../../../../crds/set/set-revision.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { Ground } from '../ground/ground.ts';

const DEFINITION: Resource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Resolves when the kind can be listed. */
export async function serve(kube: Kube, definition: KubeObject, resource: Resource): Promise<void> {
  await kube.apply(DEFINITION, definition, { fieldManager: 'test', force: true });
  await eventually(() => kube.list(resource));
}

const OURS = [
  [BUNDLE_DEFINITION, BUNDLE],
  [BUNDLE_REVISION_DEFINITION, BUNDLE_REVISION_KIND],
  [CAPP_DEFINITION, CAPP],
  [CAPP_REVISION_DEFINITION, CAPP_REVISION],
  [CAPP_SET_DEFINITION, CAPP_SET],
  [SET_REVISION_DEFINITION, SET_REVISION_KIND],
  [DRAIN_DEFINITION, DRAIN],
  [HUB_STATUS_DEFINITION, HUB_STATUS],
  [RCS_CONFIG_DEFINITION, RCS_CONFIG],
] as const;

export async function serveOurs(kube: Kube): Promise<void> {
  await Promise.all(OURS.map(([definition, resource]) => serve(kube, definition, resource)));
}

/** The ground of a server that serves our kinds, and these with a status that accepts anything. */
export function groundOf(bare: readonly Resource[] = []): Ground {
  return {
    objects: [...OURS.map(([definition]) => definition), ...bare.map(bareDefinition)],
    lay: async (kube) => {
      await serveOurs(kube);
      for (const resource of bare) await serveBare(kube, resource);
    },
  };
}

/** A kind with a status that accepts anything. */
export async function serveBare(kube: Kube, resource: Resource): Promise<void> {
  await serve(kube, bareDefinition(resource), resource);
}

/** Of such a kind. */
export function bareDefinition(resource: Resource): KubeObject {
  const [group = '', version = ''] = resource.apiVersion.split('/');
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: DEFINITION.apiVersion,
    kind: DEFINITION.kind,
    metadata: { name: `${resource.plural}.${group}` },
    spec: {
      group,
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
      names: { kind: resource.kind, plural: resource.plural, singular: resource.kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: anything },
        },
      ],
    },
  } as KubeObject;
}
