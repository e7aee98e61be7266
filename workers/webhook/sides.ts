// What the webhook of a hub and that of a site know, and which rules they apply.
import type { NamedRevision } from '../../admission/known.ts';
import type { PendingNotes } from '../../admission/pending.ts';
import type { AdmissionRequest } from '../../admission/request.ts';
import { applyRules, applySiteRules } from '../../admission/router.ts';
import type { RuleResult } from '../../admission/rule.ts';
import { isDraining } from '../../crds/drain/drain.ts';
import type { Kube } from '../../kube/client.ts';
import type { OnProblem } from '../../kube/watch/cache.ts';
import {
  admissionCaches,
  hubHostnameKey,
  knownFrom,
  type AdmissionCaches,
  type WebhookPlace,
} from './known.ts';
import { siteCaches, siteHostnameKey, siteKnownFrom, type SiteCaches } from './site-known.ts';

export const SIDES = ['hub', 'site'] as const;

export interface Side {
  /** To be synced before the first answer, and stopped after the last. */
  readonly caches: AdmissionCaches | SiteCaches;
  /** The results of all rules of the path, or null if there is no such path. */
  judge(
    path: string,
    request: AdmissionRequest,
    earlier: NamedRevision | undefined,
  ): Required<RuleResult> | null;
  /** The spelling under which hostnames are compared. */
  hostnameKey(hostname: string): string;
}

interface Beside {
  readonly place: WebhookPlace;
  readonly pending: PendingNotes;
  readonly onProblem: OnProblem;
}

export function sideOf(which: (typeof SIDES)[number], kube: Kube, beside: Beside): Side {
  return which === 'hub' ? hub(kube, beside) : site(kube, beside);
}

function hub(kube: Kube, { place, pending, onProblem }: Beside): Side {
  const caches = admissionCaches(kube, onProblem);
  settleHostnames(caches.capps, pending);
  settleDrains(caches.drains, pending);
  return {
    caches,
    judge: (path, request, earlier) =>
      applyRules(path, request, { ...knownFrom(caches, place, pending), ...asked(earlier) }),
    hostnameKey: (hostname) => hubHostnameKey(caches, place, hostname),
  };
}

function site(kube: Kube, { place, pending, onProblem }: Beside): Side {
  const caches = siteCaches(kube, onProblem);
  settleHostnames(caches.capps, pending);
  return {
    caches,
    judge: (path, request, earlier) =>
      applySiteRules(path, request, { ...siteKnownFrom(caches, place, pending), ...asked(earlier) }),
    hostnameKey: (hostname) => siteHostnameKey(caches, hostname),
  };
}

/** What was noted of a site is dropped once the cache shows the Drain that closes it. */
export function settleDrains(
  closing: Pick<AdmissionCaches['drains'], 'subscribe'>,
  { drains }: PendingNotes,
): void {
  closing.subscribe(({ object }) => {
    // A dry run that is to begin is shown as it was for a moment.
    if (isDraining(object)) drains.settle('', object.metadata.name);
  });
}

function settleHostnames(capps: AdmissionCaches['capps'], { hostnames }: PendingNotes): void {
  capps.subscribe(({ object: { metadata } }) => hostnames.settle(metadata.namespace ?? '', metadata.name));
}

function asked(earlier: NamedRevision | undefined): { readonly earlier?: NamedRevision } {
  return earlier === undefined ? {} : { earlier };
}
