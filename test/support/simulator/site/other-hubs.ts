// What a simulated site refuses of this hub, since it is another hub's: one Capp's name, the Namespace, or
// the whole site. It refuses by the words of its admission policies (deploy/helm/templates/_guard.tpl).
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { NAMESPACE } from '../world/names.ts';

/** A name is that of the Capp, `<namespace>/<name>`. */
export type Theirs = 'site' | 'Namespace' | `${string}/${string}`;

/** Its id. */
const THEM = 'hub-b';

export class OtherHubs {
  readonly #theirs = new Set<Theirs>();

  /** False: it was that hub's already. */
  take(what: Theirs): boolean {
    const isNew = !this.#theirs.has(what);
    this.#theirs.add(what);
    return isNew;
  }

  /** That hub has left, or the site's admin has corrected it. */
  free(what: Theirs): void {
    this.#theirs.delete(what);
  }

  all(): readonly Theirs[] {
    return [...this.#theirs];
  }

  refuses(key: string): boolean {
    return this.#reason(key) !== null;
  }

  /** An agent that counts as another hub's deletes nothing of this hub's either. */
  get refusesDeletions(): boolean {
    return this.#theirs.has('site');
  }

  #reason(key: string): Theirs | null {
    const names: readonly Theirs[] = ['site', key as Theirs, 'Namespace'];
    return names.find((what) => this.#theirs.has(what)) ?? null;
  }

  /** What OCM's work agent says of a work that the site refuses so. */
  statusOf({ metadata, spec }: ManifestWork & KubeObject, key: string): NonNullable<ManifestWork['status']> {
    const { generation: observedGeneration = 1 } = metadata;
    const why = this.#reason(key) ?? 'site';
    const manifests = (spec?.workload.manifests ?? []).map(({ kind, metadata: { name } }, ordinal) => ({
      resourceMeta: { ordinal, kind, name },
      conditions: [
        kind === 'Namespace'
          ? { type: 'Applied', status: 'True' as const, observedGeneration }
          : {
              type: 'Applied',
              status: 'False' as const,
              observedGeneration,
              message: refusal(why, kind, name),
            },
      ],
    }));
    const applied = { type: 'Applied', status: 'False' as const, reason: 'AppliedManifestWorkFailed' };
    return { conditions: [{ ...applied, observedGeneration }], resourceStatus: { manifests } };
  }
}

function refusal(why: Theirs, kind: string, name: string): string {
  const [policy, says] = {
    site: [
      'one-hub-v2',
      `This site belongs to the Cappstan hub ${THEM}, and ${kind} ${name} is of hub hub-a. `,
    ],
    Namespace: [
      'own-namespaces-v1',
      `Namespace ${NAMESPACE} of this site belongs to the Cappstan hub ${THEM}, whose Secrets are there. `,
    ],
    name: [
      'one-hub-v2',
      `${kind} ${name} of this site belongs to the Cappstan hub ${THEM}; take another name.`,
    ],
  }[why === 'site' || why === 'Namespace' ? why : 'name'] as [string, string];
  return `x is forbidden: ValidatingAdmissionPolicy 'cappstan-${policy}-1' with binding 'b' denied request: ${says}`;
}

/** What a work's agent has said of it is that the site refuses it so. */
export function isRefusedAsTheirs({ metadata, status }: ManifestWork): boolean {
  const applied = status?.conditions?.find(({ type }) => type === 'Applied');
  if (applied?.status !== 'False' || applied.observedGeneration !== metadata.generation) return false;
  return JSON.stringify(status?.resourceStatus ?? {}).includes(`Cappstan hub ${THEM}`);
}
