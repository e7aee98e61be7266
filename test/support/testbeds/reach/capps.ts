// The Capps of the reader's bed on its hub, and who may read them.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { ROLE_BINDING } from '../../../../crds/kubernetes/core.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { aCapp } from '../../builders/capps.ts';

export const TEAM = 'team-a';

export interface HubCapps {
  /** A Capp on the hub, on these sites. */
  capp(name: string, sites: readonly string[]): Promise<Capp>;
  move(name: string, sites: readonly string[]): Promise<void>;
  /** Lets a user read Capps, and their logs and Pods, in the team's namespace, by the chart's roles. */
  admit(user: string, roles?: readonly string[]): Promise<void>;
  /** Takes away what `admit` has given. */
  dismiss(user: string, roles?: readonly string[]): Promise<void>;
}

const BOTH: readonly string[] = ['cappstan-capp-view', 'cappstan-log-view'];

export function hubCapps(kube: Kube): HubCapps {
  const move = async (name: string, sites: readonly string[]): Promise<void> => {
    const roles = ['Serving', 'Leaving'];
    const status = { sites: sites.map((clusterName, index) => ({ clusterName, role: roles[index] })) };
    await kube.patch(CAPP, { namespace: TEAM, name }, { status }, { subresource: 'status' });
  };
  return {
    move,
    capp: async (name, sites) => {
      const { spec } = aCapp({ name });
      const made = await kube.create(CAPP, { metadata: { namespace: TEAM, name }, spec } as unknown as Capp);
      await move(name, sites);
      return made;
    },
    dismiss: async (user, roles = BOTH) => {
      for (const role of roles) await kube.remove(ROLE_BINDING, { namespace: TEAM, name: `${user}-${role}` });
    },
    admit: async (user, roles = BOTH) => {
      for (const role of roles)
        await applyObjects(kube, [
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'RoleBinding',
            metadata: { namespace: TEAM, name: `${user}-${role}` },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
            subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
          } as KubeObject,
        ]);
    },
  };
}
