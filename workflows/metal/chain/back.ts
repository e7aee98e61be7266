// The way from a site back to free hosts: pure. Nothing is wiped while a Capp or another hub is on the site,
// or its Drain has not ended, unless a person says so; and no host is free before Metal³ says that it is
// available.
import {
  named,
  notYet,
  type ChainAct,
  type ChainHost,
  type ChainSight,
  type JoinedSaid,
  type ProvisionedSaid,
} from './sight.ts';

export interface Back {
  /** As in `Forth`. */
  readonly acts: readonly ChainAct[];
  readonly provisioned: ProvisionedSaid;
  readonly joined: JoinedSaid;
  /** Keys of hosts that may be given back. */
  readonly free: readonly string[];
  /** All of them may. */
  readonly isDone: boolean;
}

/** Of a SIPCluster that is being deleted: drain, detach, wipe. */
export function back(sight: ChainSight): Back {
  const left = leaving(sight);
  const isDetached = left.joined.reason === 'Detached';
  if (!isDetached) {
    const message = 'Hosts are wiped when the site is detached: see Joined.';
    return { ...left, provisioned: notYet('Kept', message), free: [], isDone: false };
  }
  const wiping = release(sight, sight.hosts, true);
  const isDone = wiping.free.length === sight.hosts.length && left.acts.length === 0;
  return { ...left, ...wiping, acts: [...left.acts, ...wiping.acts], isDone };
}

type Left = Pick<Back, 'acts' | 'joined'>;

const no = (reason: JoinedSaid['reason'], message: string, acts: readonly ChainAct[] = []): Left => ({
  acts,
  joined: notYet(reason, message),
});

function leaving(sight: ChainSight): Left {
  const { cluster, site, hasCome, capps } = sight;
  if (cluster === null) return gone(sight);
  if (!cluster.isOurs) return taken(sight, cluster.hasCome || hasCome);
  if (cluster.isLeaving)
    return no(
      'Detaching',
      `ManagedCluster ${site} is being deleted: OCM’s agent takes away there what works have brought. If it stays so, look whether the agent runs, and at the finalizers of kubectl -n ${site} get manifestworks.`,
    );
  if (isAllowed(sight)) return no('Detaching', '', [{ do: 'detach', force: true }]);
  if (!hasCome && capps.length === 0) return no('Detaching', '', [{ do: 'detach', force: false }]);
  return undrained(sight) ?? draining(sight);
}

/** A person lets the whole site be wiped. */
function isAllowed({ allowed, site }: ChainSight): boolean {
  return allowed.has(site);
}

/** An image of ours is on a host: it may be a node. */
function mayRun({ hosts }: ChainSight): boolean {
  return hosts.some(({ image }) => image === 'ours');
}

function gone(sight: ChainSight): Left {
  const { site, drain, capps } = sight;
  const isHeld = !isAllowed(sight);
  if (capps.length > 0 && isHeld)
    return no('Detaching', `Works of Capps are left on ${site}: ${named(capps)}. OCM takes them away.`);
  const others = isHeld && mayRun(sight) ? shared(sight) : null;
  return others ?? no('Detached', '', drain?.isOurs === true ? [{ do: 'undrain' }] : []);
}

function taken(sight: ChainSight, hasCome: boolean): Left {
  return hasCome && mayRun(sight) && !isAllowed(sight)
    ? no(
        'NameTaken',
        `ManagedCluster ${sight.site} was not made for this SIPCluster, and its hosts may run it. ${wordFor(sight)}`,
      )
    : no('Detached', '');
}

/** It ends in the line, so that nothing stands behind what is copied. */
function wordFor({ sip, site }: ChainSight): string {
  return `If the hosts may be wiped with all that is on them: kubectl -n ${sip.namespace} annotate sipcluster ${sip.name} rcs.dana.io/allow-wipe=${site}`;
}

/** A site that other hubs have as well is not wiped under what runs for them; null: no other hub has it. */
function shared(sight: ChainSight): Left | null {
  const { site, cluster, otherHubs } = sight;
  if (otherHubs.length === 0) return null;
  const which = `${site} is also a site of hub ${named(otherHubs)}, by the short id; ConfigMap cappstan-hub on the site has the whole ids. What runs there for another hub this hub neither sees nor drains, and it would be wiped.`;
  const helps =
    cluster === null
      ? `ManagedCluster ${site} is gone, so this hub does not hear when the other one leaves.`
      : `Detach ${site} on the other hub. Where that was done, and its claims were left: on the site, kubectl delete clusterclaim -l rcs.dana.io/hub=<whole id>.`;
  return no('OtherHubs', `${which} ${helps} ${wordFor(sight)}`);
}

/** Whoever asks for no drain waits until the Capps are gone; null where nothing is to be waited for. */
function undrained(sight: ChainSight): Left | null {
  const { site, drain, capps, isDrainRefused } = sight;
  if (!isDrainRefused || drain !== null || capps.length === 0) return null;
  return no(
    'CappsStay',
    `spec.site.onDelete is Refuse, so nobody drains ${site}, and ${named(capps)} ${capps.length === 1 ? 'is' : 'are'} still there: move or delete them, or set it to Drain. ${wordFor(sight)}`,
  );
}

function draining(sight: ChainSight): Left {
  const { site, drain, capps } = sight;
  if (drain === null) return no('Draining', '', [{ do: 'drain' }]);
  if (drain.isDryRun)
    return no(
      'DrainHeld',
      `Drain ${site} is a dry run: set its spec.dryRun to false, or delete it. ${wordFor(sight)}`,
    );
  if (!drain.isComplete)
    return drain.isPaused
      ? no('DrainHeld', `Drain ${site} is paused: set its spec.paused to false. ${wordFor(sight)}`)
      : no('Draining', `Capps leave ${site}: ${drain.says}. See kubectl describe drain ${site}.`);
  if (capps.length > 0)
    return no(
      'CappsStay',
      `The drain has ended, and ${named(capps)} ${capps.length === 1 ? 'is' : 'are'} still there (${drain.says}). kubectl describe drain ${site} says why: move or delete them. ${wordFor(sight)}`,
    );
  return shared(sight) ?? no('Detaching', '', [{ do: 'detach', force: false }]);
}

type Released = Pick<Back, 'acts' | 'provisioned' | 'free'>;

/**
 * Which of these hosts may be given back, and what is to be done for the others. `mayWipe`: no site runs on
 * them any more, or none ever did.
 */
export function release(sight: ChainSight, hosts: readonly ChainHost[], mayWipe: boolean): Released {
  const all = hosts.map((host) => ({ host, ...goingOf(host, sight, mayWipe) }));
  const free = all.filter(({ isFree }) => isFree).map(({ host }) => host.key);
  const acts = all.flatMap(({ act }) => (act === null ? [] : [act]));
  const waits = all.filter(({ isFree }) => !isFree);
  const reason = REASONS.find((one) => waits.some((host) => host.reason === one)) ?? 'Wiped';
  const texts = REASONS.map((one) => [one, waits.filter((host) => host.reason === one)] as const)
    .filter(([, some]) => some.length > 0)
    .map(([one, some]) =>
      wordsOf(
        one,
        some.map(({ host }) => host),
      ),
    );
  return { acts, free, provisioned: notYet(reason, texts.join(' ')) };
}

type GoingReason = Extract<ProvisionedSaid['reason'], 'Kept' | 'HostFailed' | 'HostAway' | 'Wiping'>;

/** The first of these that a host has is the condition's. */
const REASONS: readonly GoingReason[] = ['Kept', 'HostFailed', 'HostAway', 'Wiping'];

interface Going {
  readonly act: ChainAct | null;
  readonly isFree: boolean;
  readonly reason: GoingReason;
}

function goingOf(host: ChainHost, { allowed, abandoned }: ChainSight, mayWipe: boolean): Going {
  const { key } = host;
  const wait = (reason: GoingReason, act: ChainAct | null = null): Going => ({ act, isFree: false, reason });
  const free = (): Going =>
    host.userData === null || !host.mayWrite
      ? { act: null, isFree: true, reason: 'Wiping' }
      : wait('Wiping', { do: 'forget', host: key });
  // Metal³ takes care of a host that is being deleted; of what somebody else has, whoever that is.
  if (host.isLeaving || host.image === 'foreign') return free();
  const isAllowed = mayWipe || allowed.has(key);
  if (host.image === 'ours') return isAllowed ? wait('Wiping', { do: 'wipe', host: key }) : wait('Kept');
  if (!host.isMarked || host.isAvailable || abandoned.has(key)) return free();
  return wait(host.error !== null ? 'HostFailed' : host.isAway ? 'HostAway' : 'Wiping');
}

function wordsOf(reason: GoingReason, hosts: readonly ChainHost[]): string {
  const keys = named(hosts.map(({ key }) => key));
  const abandon =
    'Or give it back as it is, with all that is on it: annotate the SIPCluster with rcs.dana.io/abandon-hosts=<namespace>/<host>.';
  switch (reason) {
    case 'Kept':
      return `${keys}: not needed any more, and may be a node of a site. The hub has no way to the API of that cluster, so nobody has emptied it: there, kubectl drain <node> --ignore-daemonsets moves its Pods as PodDisruptionBudgets allow. Then annotate the SIPCluster with rcs.dana.io/allow-wipe=<namespace>/<host>.`;
    case 'HostFailed':
      return `${named(hosts.map(({ key, error }) => `${key}: ${error ?? ''}`))}. Metal³ tries it again by itself. ${abandon}`;
    case 'HostAway':
      return `${keys} is detached or paused by an annotation, so Metal³ does not wipe it: take the annotation away. ${abandon}`;
    case 'Wiping':
      return `${named(hosts.map(({ key, state }) => `${key} is ${state === '' ? 'without a state' : state}`))}. Each is given back when Metal³ says that it is available. ${abandon}`;
  }
}
