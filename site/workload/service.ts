// Keeps the Knative Service of a Capp as it should be.
import type { Capp } from '../../crds/capp/capp.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE, type KnativeService } from '../../crds/kubernetes/knative.ts';
import { keyTextOf } from '../../kube/resource.ts';
import { ensure, isAppliedAs, isInherited } from '../objects/ensure.ts';
import { asFault, SiteFault } from '../objects/fault.ts';
import { isOwn } from '../objects/owned.ts';
import type { OperatedSite } from '../watched.ts';
import { type Autoscale, DEFAULT_AUTOSCALE } from './autoscaling.ts';
import { featureFault } from './features.ts';
import { figuresOf } from './figures.ts';
import { formerKnativeService, knativeService } from './knative-service.ts';
import { asksForMore } from './limits.ts';
import { mistypedFault } from './mistyped.ts';

/** The Capp's Service as the site has it, or null. Throws a SiteFault when it cannot be. */
export async function workload(site: OperatedSite, capp: Capp): Promise<KnativeService | null> {
  const { kube, watched, steps } = site;
  const { name, namespace = '' } = capp.metadata;
  const live = watched.services.served() ? watched.services.get({ namespace, name }) : undefined;
  const object = rendered(site, capp, live);
  if (!watched.services.served()) {
    if (object === null) return null;
    throw new SiteFault(
      'NotServed',
      'This site does not serve Knative Services. Install Knative Serving on it.',
    );
  }
  if (object !== null) {
    refuse(site, { capp, object, live });
    try {
      return await ensure(kube, { capp, resource: KNATIVE_SERVICE, object, live });
    } catch (error) {
      throw asFault(error, `the Knative Service ${name}`);
    }
  }
  steps.end(keyTextOf(capp));
  if (live === undefined || !isOwn(live.metadata, capp)) return null;
  if (live.metadata.deletionTimestamp === undefined) {
    const { uid } = live.metadata;
    await kube.remove(KNATIVE_SERVICE, { namespace, name }, uid === undefined ? {} : { uid });
  }
  return live;
}

interface Asked {
  readonly capp: Capp;
  readonly object: KnativeService;
  readonly live: KnativeService | undefined;
}

/** What runs goes on: Knative, too, looks at its switches when something is written. Throws a SiteFault. */
function refuse({ watched }: OperatedSite, { capp, object, live }: Asked): void {
  if (live !== undefined && isAppliedAs(live, object)) return;
  const fault =
    mistypedFault(capp) ?? featureFault(object.spec?.template?.spec ?? {}, watched.features.current());
  if (fault !== null) throw fault;
}

/**
 * With the figures of the site's configuration. If they alone would change what runs, the Capp waits for its
 * step, and keeps its figures until then; for good where it names its revision.
 */
function rendered(
  { config, steps }: OperatedSite,
  capp: Capp,
  live: KnativeService | undefined,
): KnativeService | null {
  const autoscale = config.current()?.autoscale ?? DEFAULT_AUTOSCALE;
  const wanted = asFormer(capp, live, autoscale);
  if (wanted === null || live === undefined) return wanted;
  const kept = asFormer(capp, live, figuresOf(capp, live, autoscale));
  if (config.current() === null) return kept;
  const key = keyTextOf(capp);
  if (isAs(live, wanted)) {
    if (isDecided(live) || !steps.has(key)) steps.end(key);
    return wanted;
  }
  if (kept !== null && isAs(live, kept)) {
    if (!mustKeep(capp, live, autoscale)) return steps.begin(key) ? wanted : kept;
    steps.end(key);
    return kept;
  }
  // Another change makes a new revision anyway.
  steps.end(key);
  return wanted;
}

/** As an earlier version wrote it, where that is what runs: an upgrade alone writes nothing. */
function asFormer(capp: Capp, live: KnativeService | undefined, autoscale: Autoscale): KnativeService | null {
  const former = formerKnativeService(capp, autoscale);
  return former !== null && live !== undefined && isAppliedAs(live, former)
    ? former
    : knativeService(capp, autoscale);
}

/** Also where it says nothing of that, since container-app-operator has made it. */
function isAs(live: KnativeService, object: KnativeService): boolean {
  return isAppliedAs(live, object) || isInherited(live, object);
}

/**
 * Knative changes no revision of a name that the user gave, and refuses the Service. Of an edit the user is
 * to be told that; only one for less than what runs looks otherwise than a changed figure.
 */
function mustKeep(capp: Capp, live: KnativeService, autoscale: Autoscale): boolean {
  if (live.spec?.template?.metadata?.name === undefined) return false;
  const figures = figuresOf(capp, live, autoscale);
  const scaled = (limits: Autoscale['limits']): Readonly<Record<string, string>> =>
    knativeService(capp, { ...figures, limits })?.spec?.template?.metadata?.annotations ?? {};
  return isUnedited(capp) || !asksForMore(scaled(autoscale.limits), scaled(figures.limits));
}

/** Since it was Ready. A refused edit is not. */
function isUnedited({ metadata, status }: Capp): boolean {
  const isReady = conditionOf(status?.conditions, 'Ready')?.status === 'True';
  return isReady && status?.observedGeneration === metadata.generation;
}

/** Whether Knative has said of this generation that it is Ready, or that it failed. */
function isDecided({ metadata, status }: KnativeService): boolean {
  const ready = conditionOf(status?.conditions, 'Ready')?.status;
  return status?.observedGeneration === metadata.generation && (ready === 'True' || ready === 'False');
}
