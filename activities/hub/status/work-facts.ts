// Reads the work agent's feedback on a work: whether everything was applied, and what the site has refused.
import { HUB, HUB_CAPPS, HUB_CAPPS_ALLOWED, OTHER_HUBS } from '../../../crds/labels.ts';
import { closedMessage } from '../../../crds/open-namespace.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { workNamesOf } from '../../../crds/ocm/work-identity.ts';
import { HUBS_OF_SITE } from '../../../crds/site-hubs.ts';
import type { Kube } from '../../../kube/client.ts';
import { pauseInTry } from '../../trying.ts';
import { servingCopy } from '../../../workflows/capp/facts/copies.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { WorkFacts } from '../../../workflows/types/copy.ts';
import { refusalIn, refusedBy } from './refused-by.ts';
import { HUB_TIMES } from '../times.ts';

/**
 * The names of the site's own policies in refusals of its API server (deploy/helm/templates/_guard.tpl), and
 * OCM's words for what an executor may not do (ocm: pkg/work/spoke/auth/basic), and what each means.
 */
const REFUSALS = [
  { said: "ValidatingAdmissionPolicy 'cappstan-one-hub-", refused: otherHub },
  { said: "ValidatingAdmissionPolicy 'cappstan-own-namespaces-", refused: otherHubsNamespace },
  { said: "ValidatingAdmissionPolicy 'cappstan-open-namespaces-", refused: closed },
  { said: "ValidatingAdmissionPolicy 'cappstan-not-ours-", refused: notOurs },
  { said: 'not allowed to apply the resource ', refused: notAllowed },
] as const;

type Refused = NonNullable<WorkFacts['refused']>;

/** The Namespace and the Capp. The agent's report on the Capp does not cover further manifests. */
const LEAST = 2;

/**
 * Facts about the work's present generation. Of the site's message only which refusal it is is taken, or the
 * fields; the refused object is named as it was shipped.
 */
export function factsOf(work: ManifestWork): WorkFacts {
  const { uid = '', generation } = work.metadata;
  const condition = work.status?.conditions?.find(({ type }) => type === 'Applied');
  const current = condition !== undefined && (condition.observedGeneration ?? generation) === generation;
  const carried = work.spec?.workload.manifests ?? [];
  const withMore = carried.length > LEAST ? { withMore: true as const } : {};
  if (!current) return { uid, applied: 'Unknown', reason: '', ...withMore };
  const refused = condition.status === 'False' ? refusalOf(work, carried) : null;
  return {
    uid,
    applied: condition.status,
    reason: condition.reason ?? '',
    ...withMore,
    ...(refused === null ? {} : { refused }),
    ...(refused?.reason === 'OtherHub' ? { isOthers: true, asksThere: true } : {}),
  };
}

function refusalOf(work: ManifestWork, carried: readonly Manifest[]): Refused | null {
  const { status } = work;
  const failures = (status?.resourceStatus?.manifests ?? []).flatMap(({ resourceMeta, conditions = [] }) => {
    const said =
      conditions.find(({ type, status: is }) => type === 'Applied' && is === 'False')?.message ?? '';
    const manifest = carried[resourceMeta.ordinal ?? -1];
    return manifest === undefined ? [] : [{ manifest, said }];
  });
  for (const { said, refused } of REFUSALS) {
    const found = failures.filter((failure) => failure.said.includes(said));
    const [first] = found;
    if (first !== undefined) return refused(work, first.manifest, found.length - 1, first.said);
  }
  const failure =
    failures.find(({ said }) => refusalIn(said) === 'Final') ??
    failures.find(({ said }) => refusalIn(said) === 'Passing');
  return failure === undefined ? null : refusedBy(siteOf(work), failure.manifest, failure.said);
}

function siteOf({ metadata: { namespace = '' } }: ManifestWork): string {
  return namespace;
}

function besides(more: number): string {
  return more === 0 ? '' : ` (and ${more} more)`;
}

function notOurs(
  work: ManifestWork,
  { kind, metadata: { name, namespace = '' } }: Manifest,
  more: number,
): Refused {
  const site = siteOf(work);
  const others = besides(more);
  const hint = `kubectl -n ${namespace} label ${kind.toLowerCase()} ${name} rcs.dana.io/managed-by=rcs`;
  const message = `${kind} ${name}${others} already exists on ${site} and does not belong to Cappstan, so it is left unchanged. Rename one of them, or hand it over by running on ${site}: ${hint}`;
  return { reason: 'NotOurs', message };
}

function closed(work: ManifestWork, { metadata: { namespace = '', labels = {} } }: Manifest): Refused {
  const message = closedMessage(namespace, { site: siteOf(work), hub: labels[HUB] ?? '' });
  return { reason: 'NamespaceClosed', message };
}

/** OCM tries again each minute by itself. */
function notAllowed(work: ManifestWork, { kind, metadata: { name } }: Manifest, more: number): Refused {
  const site = siteOf(work);
  const executor = work.spec?.executor?.subject.serviceAccount;
  const account =
    executor === undefined ? 'its executor' : `ServiceAccount ${executor.namespace}/${executor.name}`;
  const roles =
    executor === undefined
      ? ''
      : ` Look on ${site}: kubectl get clusterrole,clusterrolebinding ${executor.name}, which the add-on brings.`;
  const message = `${site} does not let ${account}, as which this hub's Capps are applied, apply ${kind} ${name}${besides(more)}. OCM tries again each minute.${roles}`;
  return { reason: 'NotAllowed', message };
}

/** An id can be nothing but the value of a label, so a site's words go no further than that. */
const HUB_NAMED = /belongs to the Cappstan hub ([A-Za-z0-9](?:[-.\w]{0,61}[A-Za-z0-9])?)[,;] /;
/** The policy's words where the site's record has another hub's id for the agent that brings the work. */
const LET_IN_AS =
  /Its agent ([a-z0-9][-a-z0-9]*\.[a-z0-9][-a-z0-9]*-work-sa) is let in for hub ([A-Za-z0-9](?:[-.\w]{0,61}[A-Za-z0-9])?)\. /;

function otherHub(
  work: ManifestWork,
  { kind, metadata: { name, labels = {} } }: Manifest,
  more: number,
  said: string,
): Refused {
  const site = siteOf(work);
  const [, agent, letInAs] = LET_IN_AS.exec(said) ?? [];
  if (agent !== undefined && letInAs !== undefined)
    return { reason: 'OtherHub', message: wronglyLetIn(site, agent, letInAs, labels[HUB] ?? '') };
  const hub = HUB_NAMED.exec(said)?.[1];
  // The policy's words for one object of the other hub, and not for all of this one's.
  const isTaken = said.includes(' of this site belongs to ') && hub !== undefined;
  const message = isTaken
    ? `${site} already has ${kind} ${name}${besides(more)} of hub ${hub}, and keeps it. Take another name, or name another site in spec.site.`
    : `${site} belongs to another Cappstan hub${hub === undefined ? '' : ` (${hub})`} and refuses works of this one. Name another site in spec.site, or have an admin of ${site} let this hub in: see docs/hubs.md.`;
  return { reason: 'OtherHub', message };
}

function wronglyLetIn(site: string, agent: string, recorded: string, hub: string): string {
  const { namespace, name } = HUBS_OF_SITE;
  const command = `kubectl -n ${namespace} patch configmap ${name} --type merge -p '{"data":{"${agent}":"${hub}"}}'`;
  return `${site} has let this hub's agent in for another hub (${recorded}), and refuses works of this one (${hub}). If that is wrong, have an admin of ${site} correct the record there: ${command}`;
}

/** The policy's words for a Namespace of which nothing says whose it is, also those of earlier versions. */
const UNLABELLED = ' of this site bears the label of no hub';

function otherHubsNamespace(
  work: ManifestWork,
  { metadata: { namespace = '', labels = {} } }: Manifest,
  _more: number,
  said: string,
): Refused {
  const site = siteOf(work);
  if (said.includes(UNLABELLED)) {
    const own = labels[HUB] ?? '<id of this hub>';
    const message = `Namespace ${namespace} of ${site} bears the label of no hub that this site has, and may hold Secrets of another one. Use another namespace or another site, or have an admin of ${site} look whose it is, and say so there: kubectl label namespace ${namespace} ${HUB_CAPPS}=${HUB_CAPPS_ALLOWED} ${HUB}=${own} --overwrite`;
    return { reason: 'OtherHub', message };
  }
  const hub = HUB_NAMED.exec(said)?.[1];
  const message = `Namespace ${namespace} of ${site} belongs to ${hub === undefined ? 'another Cappstan hub' : `hub ${hub}`}, whose Secrets are there. Use another namespace or another site, or have an admin of ${site} let Capps of other hubs in: kubectl label namespace ${namespace} ${OTHER_HUBS}=${HUB_CAPPS_ALLOWED}`;
  return { reason: 'OtherHub', message };
}

/**
 * The state to publish for a Capp that its site calls Ready: OCM may have reported meanwhile that something
 * beside the Capp was refused, for which a Ready Capp gets no ring. Reads the work live if it carries more
 * than the Capp, and again for a moment while OCM has not reported on its present generation. Throws
 * ApiError.
 */
export async function withLatestFacts(kube: Pick<Kube, 'get'>, state: State): Promise<State> {
  const copy = servingCopy(state);
  const { serving: cluster, capp } = state;
  if (cluster === null || copy === null || copy.work?.withMore !== true || copy.work.applied === 'True')
    return state;
  if (copy.finding?.verdict !== 'Ready') return state;
  const until = Date.now() + HUB_TIMES.appliedLag.ms;
  for (;;) {
    const work = await workLike(kube, { cluster, names: workNamesOf(capp), uid: copy.work.uid });
    if (work === null) return state;
    const facts = factsOf(work);
    if (facts.applied !== 'Unknown' || Date.now() >= until)
      return { ...state, copies: { ...state.copies, [cluster]: { ...copy, work: facts } } };
    await pauseInTry(HUB_TIMES.appliedPoll.ms);
  }
}

async function workLike(
  kube: Pick<Kube, 'get'>,
  { cluster, names, uid }: { cluster: string; names: readonly string[]; uid: string },
): Promise<ManifestWork | null> {
  for (const name of names) {
    const work = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name });
    if (work?.metadata.uid === uid) return work;
  }
  return null;
}
