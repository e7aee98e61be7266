// What the work agent of a site says of a work of a Bundle, in a world without a site.
import { pluralOf } from '../../../../activities/hub/bundle/manifests/identify.ts';
import { RULE_CONDITION } from '../../../../activities/hub/bundle/ready/ready-rules.ts';
import { groupOf } from '../../../../crds/bundle/manifests.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';

/** Everything in it is there, and as its rules want it. */
export function appliedOf({ metadata, spec }: ManifestWork): NonNullable<ManifestWork['status']> {
  const about = { status: 'True' as const, observedGeneration: metadata.generation ?? 1 };
  const manifests = (spec?.workload.manifests ?? []).map(({ apiVersion, kind, metadata: of }, ordinal) => ({
    resourceMeta: {
      ordinal,
      kind,
      group: groupOf(apiVersion),
      version: 'v1',
      resource: pluralOf('', kind),
      ...of,
    },
    conditions: [
      { ...about, type: 'Applied' },
      { ...about, type: 'Available' },
      { ...about, type: RULE_CONDITION },
    ],
  }));
  return { conditions: [{ ...about, type: 'Applied' }], resourceStatus: { manifests } };
}

/** They are applied, and not ready. */
export function unreadyIn(
  { conditions = [], resourceStatus = {} }: NonNullable<ManifestWork['status']>,
  message: string,
): NonNullable<ManifestWork['status']> {
  const manifests = (resourceStatus.manifests ?? []).map((one) => ({
    ...one,
    conditions: (one.conditions ?? []).map((is) =>
      is.type === RULE_CONDITION ? { ...is, status: 'False' as const, message } : is,
    ),
  }));
  return { conditions, resourceStatus: { manifests } };
}

/** The work agent names the present generation of the work also when it fails. */
export function refusedIn({ status }: ManifestWork, message: string): NonNullable<ManifestWork['status']> {
  const refused = { status: 'False' as const, message, reason: 'AppliedManifestFailed' };
  const fails = <T extends { readonly type: string }>(all: readonly T[]) =>
    all.map((one) => (one.type === 'Applied' ? { ...one, ...refused } : one));
  const manifests = (status?.resourceStatus?.manifests ?? []).map((one) => ({
    ...one,
    conditions: fails(one.conditions ?? []),
  }));
  return { conditions: fails(status?.conditions ?? []), resourceStatus: { manifests } };
}
