// From the Capp on the hub to what runs on its site, as the Capp's status knows it. No object is read for it.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import { PAUSED } from '../../../crds/labels.ts';
import { workName } from '../../../crds/ocm/work-identity.ts';
import { conditionIn, isUnseen, phaseOf } from '../capp/phase.ts';
import { toneOf, toneOfStatus, type Tone } from '../tone.ts';
import type { Branch } from './branch.ts';

/** Of statuses that others wrote: read field by field. */
type Loose = Readonly<Record<string, unknown>> | undefined;

export function treeOf(capp: Capp): Branch {
  const { namespace = '', name, generation = 0 } = capp.metadata;
  const { status = {} } = capp;
  const phase = phaseOf(capp, PAUSED);
  const serving = status.applicationLinks?.site;
  const all =
    status.sites ?? (serving === undefined ? [] : [{ clusterName: serving, role: 'Serving' as const }]);
  return {
    kind: 'Capp',
    name: `${namespace}/${name}`,
    on: 'hub',
    tone: toneOf(phase, !isUnseen(capp)),
    says: `generation ${generation}, ${phase}`,
    branches: all.map(({ clusterName, role }) => workOn(capp, clusterName, role)),
  };
}

/** The conditions are about the copy where users are sent. */
function workOn(capp: Capp, site: string, role: string): Branch {
  const { namespace = '', name } = capp.metadata;
  const isServing = role === 'Serving' || site === capp.status?.applicationLinks?.site;
  const applied = conditionIn(capp, 'Applied');
  const tone = isServing ? toneOfStatus(applied?.status) : 'moving';
  const says = isServing ? (applied?.reason ?? 'not looked at yet') : `${role.toLowerCase()} by a move`;
  const work = { kind: 'ManifestWork', name: workName(namespace, name), on: 'hub', tone, says } as const;
  return { ...work, branches: [copyOn(capp, site, isServing)] };
}

function copyOn(capp: Capp, site: string, isServing: boolean): Branch {
  const available = conditionIn(capp, 'Available');
  const { namespace = '', name } = capp.metadata;
  const whole = `${namespace}/${name}`;
  if (!isServing || capp.status === undefined)
    return {
      kind: 'Capp',
      name: whole,
      on: site,
      tone: 'unknown',
      says: 'its own status is not mirrored',
      branches: [],
    };
  return {
    kind: 'Capp',
    name: whole,
    on: site,
    tone: toneOfStatus(available?.status),
    says: available?.reason ?? 'not seen yet',
    branches: partsOn(capp.status, { name, site }),
  };
}

interface Where {
  readonly name: string;
  readonly site: string;
}

function partsOn(status: CappStatus, { name, site }: Where): Branch[] {
  const {
    knativeObjectStatus: knative,
    routeStatus: route,
    volumesStatus,
    eventingStatus,
    loggingStatus,
  } = status;
  const part = (kind: string, called: string, of: Loose): Branch[] =>
    of === undefined ? [] : [{ kind, name: called, on: site, ...standing(of), branches: [] }];
  const service = part('Service (Knative)', name, knative).map((one) => ({
    ...one,
    branches: (status.revisions ?? []).map((revision) => revisionOn(revision, site)),
  }));
  return [
    ...service,
    ...part('DomainMapping', 'of the hostname', route?.domainMappingObjectStatus),
    ...part('Certificate', 'of the hostname', route?.certificateObjectStatus),
    ...part('CNAMERecord', 'of the hostname', route?.dnsRecordObjectStatus?.cnameRecordObjectStatus),
    ...(volumesStatus?.nfsVolumesStatus ?? []).map(({ volumeName = '', nfsPvcStatus = {} }) =>
      volumeOn(volumeName, nfsPvcStatus.pvcPhase, site),
    ),
    ...(eventingStatus?.eventSources ?? []).flatMap((source) =>
      part('Source of events', source.name, { conditions: [source.condition] }),
    ),
    ...part('Logging', 'of the containers', loggingStatus),
  ];
}

function volumeOn(name: string, phase: string | undefined, site: string): Branch {
  const tone = phase === 'Bound' ? 'good' : 'busy';
  return { kind: 'PersistentVolumeClaim', name, on: site, tone, says: phase ?? 'not known', branches: [] };
}

function revisionOn(
  { name, revisionsStatus }: NonNullable<CappStatus['revisions']>[number],
  site: string,
): Branch {
  const { actualReplicas, desiredReplicas } = (revisionsStatus ?? {}) as Record<string, unknown>;
  const pods =
    typeof actualReplicas === 'number'
      ? `${actualReplicas} of ${typeof desiredReplicas === 'number' ? desiredReplicas : actualReplicas} Pods`
      : '';
  const { tone, says } = standing(revisionsStatus);
  return {
    kind: 'Revision',
    name,
    on: site,
    tone,
    says: [says, pods].filter((one) => one !== '').join(', '),
    branches: [],
  };
}

/** By the condition Ready, or else the first one, of a status that Knative or another wrote. */
function standing(of: Loose): { readonly tone: Tone; readonly says: string } {
  const { conditions } = of ?? {};
  const all = Array.isArray(conditions) ? (conditions as readonly unknown[]).filter(isCondition) : [];
  const found = all.find(({ type }) => type === 'Ready' || type === 'Synced') ?? all[0];
  if (found === undefined) return { tone: 'unknown', says: 'says nothing' };
  const { type, status, reason } = found;
  const says = status === 'True' ? type : [`${type}=${status}`, reason].filter(Boolean).join(', ');
  return { tone: toneOfStatus(status), says };
}

interface Said {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

function isCondition(value: unknown): value is Said {
  const { type, status } = (value ?? {}) as Partial<Said>;
  return typeof type === 'string' && typeof status === 'string';
}
