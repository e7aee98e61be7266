// The way from a site back to free hosts: pure. Nothing is wiped while a Capp is on the site or its Drain has
// not ended, unless a person says so; and no host is free before Metal³ says that it is available.
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
  const { cluster, site, hasCome, drain, capps, hosts, allowed } = sight;
  const undrain: ChainAct[] = drain?.isOurs === true ? [{ do: 'undrain' }] : [];
  const isAllowed = allowed.has(site);
  if (cluster === null)
    return capps.length > 0 && !isAllowed
      ? no('Detaching', `Works of Capps are left on ${site}: ${named(capps)}. OCM takes them away.`)
      : no('Detached', '', undrain);
  if (!cluster.isOurs) {
    const isRunning = (cluster.hasCome || hasCome) && hosts.some(({ image }) => image === 'ours');
    return isRunning && !isAllowed
      ? no(
          'NameTaken',
          `ManagedCluster ${site} was not made for this SIPCluster, and its hosts may run it. ${wordFor(site)}`,
        )
      : no('Detached', '');
  }
  if (cluster.isLeaving)
    return no(
      'Detaching',
      `ManagedCluster ${site} is being deleted: OCM’s agent takes away there what works have brought. If it stays so, look whether the agent runs, and at the finalizers of kubectl -n ${site} get manifestworks.`,
    );
  if (isAllowed) return no('Detaching', '', [{ do: 'detach', force: true }]);
  if (!hasCome && capps.length === 0) return no('Detaching', '', [{ do: 'detach', force: false }]);
  return undrained(sight) ?? draining(sight);
}

function wordFor(site: string): string {
  return `If the hosts may be wiped with all that is on them, annotate the SIPCluster with rcs.dana.io/allow-wipe=${site}.`;
}

/** Whoever asks for no drain waits until the Capps are gone; null where nothing is to be waited for. */
function undrained({ site, drain, capps, isDrainRefused }: ChainSight): Left | null {
  if (!isDrainRefused || drain !== null || capps.length === 0) return null;
  return no(
    'CappsStay',
    `spec.site.onDelete is Refuse, so nobody drains ${site}, and ${named(capps)} ${capps.length === 1 ? 'is' : 'are'} still there: move or delete them, or set it to Drain. ${wordFor(site)}`,
  );
}

function draining({ site, drain, capps }: ChainSight): Left {
  if (drain === null) return no('Draining', '', [{ do: 'drain' }]);
  if (drain.isDryRun)
    return no(
      'DrainHeld',
      `Drain ${site} is a dry run: set its spec.dryRun to false, or delete it. ${wordFor(site)}`,
    );
  if (!drain.isComplete)
    return drain.isPaused
      ? no('DrainHeld', `Drain ${site} is paused: set its spec.paused to false. ${wordFor(site)}`)
      : no('Draining', `Capps leave ${site}: ${drain.says}. See kubectl describe drain ${site}.`);
  if (capps.length > 0)
    return no(
      'CappsStay',
      `The drain has ended, and ${named(capps)} ${capps.length === 1 ? 'is' : 'are'} still there (${drain.says}). kubectl describe drain ${site} says why: move or delete them. ${wordFor(site)}`,
    );
  return no('Detaching', '', [{ do: 'detach', force: false }]);
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
