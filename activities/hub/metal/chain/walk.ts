// One step of the chain: looks, asks what is to be done, does it, and says how it stands.
import type { Kube } from '../../../../kube/client.ts';
import { isConflict, isForbidden, isInvalid, type ApiError } from '../../../../kube/failure.ts';
import { back, release } from '../../../../workflows/metal/chain/back.ts';
import { forth } from '../../../../workflows/metal/chain/forth.ts';
import { firstOf, notYet, type ChainAct, type ChainSight } from '../../../../workflows/metal/chain/sight.ts';
import { fewAtOnce } from '../../drain/few-at-once.ts';
import { wordsOf } from '../services/apply.ts';
import { doAct } from './act.ts';
import { ChainFault } from './refusals.ts';
import { withGoing, type ChainReport } from './report.ts';
import { seeChain, type Chain, type ChainGround } from './see.ts';

/** Acts on different hosts at once. */
const AT_ONCE = 8;

export interface Walked {
  /** Something was written: what was read is not so any more. */
  readonly hasActed: boolean;
  /** Keys of hosts that may be given back now. */
  readonly free: ReadonlySet<string>;
  readonly report: ChainReport;
  /** Of a SIPCluster that is being deleted: nothing of its site is left, and all hosts are wiped. */
  readonly isDone: boolean;
}

/**
 * `going`: keys of hosts that are to be given back. `isHeld`: services may lead to these, so they stay as
 * they are. Throws ApiError.
 */
export async function walkForth(
  kube: Kube,
  chain: Chain,
  going: ReadonlySet<string>,
  isHeld = false,
): Promise<Walked> {
  const ground = await seeChain(kube, chain, { isLeaving: false, seesCapps: going.size > 0 });
  const { sight } = ground;
  const { acts, ...report } = forth(sight, going, chain.now);
  const leaving = isHeld ? [] : sight.hosts.filter(({ key }) => going.has(key));
  const released = release(sight, leaving, isNobodys(sight));
  const done = await doAll(kube, chain, ground, firstOf(sight) ?? [...acts, ...released.acts]);
  const said = withGoing(report, released.provisioned.message);
  return {
    hasActed: done.hasActed,
    free: new Set(released.free),
    report: withFaults(said, done.faults),
    isDone: false,
  };
}

/**
 * No site runs on the hosts: its ManagedCluster is there and says that nobody has ever come, and no Capp was
 * sent there. One that is gone, or somebody else's, says nothing.
 */
function isNobodys({ cluster, hasCome, capps }: ChainSight): boolean {
  return cluster !== null && cluster.isOurs && !cluster.isLeaving && !hasCome && capps.length === 0;
}

/** Throws ApiError. */
export async function walkBack(kube: Kube, chain: Chain): Promise<Walked> {
  const ground = await seeChain(kube, chain, { isLeaving: true, seesCapps: true });
  const { acts, free, isDone, ...report } = back(ground.sight);
  const done = await doAll(kube, chain, ground, firstOf(ground.sight) ?? acts);
  return {
    hasActed: done.hasActed,
    free: new Set(free),
    report: withFaults(report, done.faults),
    isDone: isDone && done.faults.length === 0,
  };
}

interface Fault {
  readonly act: ChainAct;
  readonly reason: ChainFault['reason'] | 'WriteRefused';
  readonly message: string;
}

interface DoneAll {
  readonly hasActed: boolean;
  /** What only a person can mend, in the order of the acts. It keeps nothing else from being done. */
  readonly faults: readonly Fault[];
}

async function doAll(
  kube: Kube,
  chain: Chain,
  ground: ChainGround,
  acts: readonly ChainAct[],
): Promise<DoneAll> {
  const turnstile = fewAtOnce(AT_ONCE);
  const conflicts: unknown[] = [];
  const one = async (act: ChainAct): Promise<Fault[]> => {
    try {
      await doAct(kube, chain, ground, act);
    } catch (error) {
      if (!isConflict(error)) return [faultOf(chain, act, error)];
      conflicts.push(error);
    }
    return [];
  };
  const faults = (await Promise.all(acts.map((act) => turnstile(() => one(act))))).flat();
  if (conflicts.length > 0) throw conflicts[0];
  return { hasActed: acts.length > faults.length, faults };
}

function faultOf(chain: Chain, act: ChainAct, error: unknown): Fault {
  if (error instanceof ChainFault) return { act, reason: error.reason, message: error.message };
  if (!isForbidden(error) && !isInvalid(error)) throw error;
  const message = `The hub refuses a write (${wordsOf(error)}). ${hintOf(chain, act, error)} It is tried again in half a minute.`;
  return { act, reason: 'WriteRefused', message };
}

/** What the hub says does not tell rights from policies; whether the chart gives the right is known here. */
function hintOf({ cluster, site, provisions }: Chain, act: ChainAct, error: ApiError): string {
  if (isForbidden(error) && !provisions.has(cluster.metadata.namespace ?? ''))
    return 'The hub workers may do that where metal.provisionNamespaces of the chart names the namespace.';
  const isOfSite = act.do === 'expect' || act.do === 'label';
  return isForbidden(error) && isOfSite && site.clusterSet !== undefined
    ? `Is clusterset ${site.clusterSet} in metal.provisionClusterSets of the chart?`
    : 'Does a policy or a webhook of the hub forbid it?';
}

const OF_HOSTS: ReadonlySet<ChainAct['do']> = new Set(['note', 'provision', 'wipe', 'forget', 'heard']);

/** Of each condition the first fault, whichever answer came first: otherwise the status would flap. */
function withFaults(report: ChainReport, faults: readonly Fault[]): ChainReport {
  const ofHosts = faults.find(isOfHosts);
  const ofSite = faults.find(isOfSite);
  return {
    ...report,
    ...(ofHosts === undefined ? {} : { provisioned: notYet(ofHosts.reason, ofHosts.message) }),
    ...(ofSite === undefined ? {} : { joined: notYet(ofSite.reason, ofSite.message) }),
  };
}

type FaultOfHosts = Fault & { readonly reason: 'BadUserData' | 'WriteRefused' };
type FaultOfSite = Fault & { readonly reason: Exclude<Fault['reason'], 'BadUserData'> };

function isOfHosts(fault: Fault): fault is FaultOfHosts {
  return fault.reason === 'BadUserData' || (fault.reason === 'WriteRefused' && OF_HOSTS.has(fault.act.do));
}

function isOfSite(fault: Fault): fault is FaultOfSite {
  return !isOfHosts(fault);
}
