// Collects what is to be shipped for a Capp, or the reason why it may not be. An objection stops new
// shipments only; running copies stay.
import { UnreadableSpec, type Capp } from '../../../crds/capp/capp.ts';
import type { HubReason } from '../../../crds/capp/conditions.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { isReservedNamespace, reservedMessage } from '../../../crds/reserved-namespaces.ts';
import { countOf, MOST_REFERENCES } from '../../../crds/capp/references.ts';
import { cappsExecutorOn } from '../../../crds/ocm/executors.ts';
import { tlsSecretOf } from '../../../crds/capp/tls-secret.ts';
import type { CappRef, State } from '../../../workflows/capp/state.ts';
import { canonical } from '../capps.ts';
import { claimOf } from '../claim.ts';
import { readWhile, type Ahead } from './ahead.ts';
import { readDependencies, wantedBy, type MissingDependency } from './dependencies.ts';
import { closedTo, rivalOf, takenMessage, type HostnameRules } from './hostname.ts';
import type { Sources } from './neighbours.ts';
import { missingMessage, tooLargeMessage, tooManyMessage } from './refusals.ts';
import { manifests, type Shipment } from './render/manifests.ts';
import { findWork } from '../works.ts';

export interface Objection {
  readonly reason: HubReason;
  readonly message: string;
}

export interface Prepared {
  readonly shipment: Shipment;
  /** One sentence for each field that has no effect. */
  readonly ignored: readonly string[];
  readonly missing: readonly MissingDependency[];
}

export interface Preparing {
  readonly ref: CappRef;
  readonly cluster: string;
  readonly capp: Capp;
  readonly state: Pick<State, 'minimumVersions'>;
  readonly rules: HostnameRules;
  /** What was read together with the Capp; null for nothing. */
  readonly ahead: Ahead | null;
}

/** Takes the Capp as it was just read. Throws ApiError, and Conflict as `rivalOf` does. */
export async function prepare(
  sources: Sources,
  { ref, cluster, capp, state, rules, ahead }: Preparing,
): Promise<Prepared | Objection> {
  const form = canonicalOr(capp);
  if (typeof form === 'string') return { reason: 'Refused', message: form };
  const runs = (): Promise<boolean> => isShipped(sources, ref, cluster, capp);
  if (isReservedNamespace(ref.namespace, sources.reserved) && !(await runs()))
    return { reason: 'NamespaceReserved', message: `${reservedMessage(ref.namespace)}.` };
  const owner = await rivalOf(
    { kube: sources.kube, capps: sources.caches.capps, zone: rules.zone },
    capp,
    state.minimumVersions['Capp'],
  );
  if (owner !== null) return { reason: 'HostnameTaken', message: takenMessage(form.capp, owner) };
  const closed = closedTo(form.capp, rules);
  if (closed !== null && !(await runs())) return { reason: 'HostnameClosed', message: closed };
  const wanted = await wantedBy(sources, form.capp, state.minimumVersions);
  const isTooMany = countOf(wanted) > MOST_REFERENCES && (wanted.lent > MOST_REFERENCES || !(await runs()));
  if (isTooMany) return { reason: 'TooManyReferences', message: tooManyMessage(form.capp, wanted) };
  const { missing, unread, ...dependencies } = await (readWhile(ahead, capp, wanted) ??
    readDependencies(sources.kube, ref.namespace, wanted));
  const { logReaders, podSecurity } = wanted;
  const shipment = {
    capp: withoutAbsent(form.capp, missing),
    ...dependencies,
    logReaders,
    podSecurity,
    ...sentBy(sources, cluster),
  };
  if (unread !== null) return { reason: 'TooLarge', message: tooLargeMessage(manifests(shipment), unread) };
  const required = missing.filter(({ need }) => need === 'Required');
  if (required.length > 0)
    return { reason: 'MissingReference', message: missingMessage(ref.namespace, required) };
  return { shipment, ignored: form.warnings, missing };
}

function sentBy({ caches, sender }: Sources, cluster: string): Pick<Shipment, 'sender' | 'executor'> {
  if (sender === undefined) return {};
  const { hub, operator } = sender;
  const site = caches.clusters.get({ namespace: null, name: cluster });
  const executor = cappsExecutorOn(site, { hub, namespace: operator.namespace });
  return executor === null ? { sender } : { sender, executor };
}

/**
 * A TLS Secret that does not exist is not named on the site, where a hostname with such a Secret answers
 * nobody: until it is there, a certificate is issued.
 */
function withoutAbsent(capp: Capp, missing: readonly MissingDependency[]): Capp {
  const named = tlsSecretOf(capp.spec);
  if (!missing.some(({ kind, name }) => kind === 'Secret' && name === named)) return capp;
  const { tlsSecret: _absent, ...routeSpec } = capp.spec.routeSpec ?? {};
  return { ...capp, spec: { ...capp.spec, routeSpec } };
}

/** The cluster has this generation already, or what another operator has shipped there. Throws ApiError. */
async function isShipped(
  { kube, caches }: Sources,
  ref: CappRef,
  cluster: string,
  capp: Capp,
): Promise<boolean> {
  const work = await findWork(kube, claimOf(caches, ref), cluster);
  if (work === null) return false;
  const [uid, generation] = work.metadata.annotations?.[ROLLOUT]?.split('/') ?? [];
  return uid === undefined || (uid === ref.uid && generation === String(capp.metadata.generation));
}

/**
 * The CRD refuses nearly all of this at admission. A Capp from an older CRD gets a message instead of an
 * exception.
 */
function canonicalOr(capp: Capp): ReturnType<typeof canonical> | string {
  try {
    return canonical(capp);
  } catch (error) {
    if (!(error instanceof UnreadableSpec)) throw error;
    return `${error.message}. Correct the Capp.`;
  }
}
