// The way from hosts to a site: pure. What is to be done now, and what is said meanwhile.
import { joinerOf, type Joiner } from './joiner.ts';
import {
  hasRead,
  named,
  notYet,
  type ChainAct,
  type ChainHost,
  type ChainSight,
  type JoinedSaid,
  type ProvisionedSaid,
} from './sight.ts';
import { joinedOf } from './joined.ts';

export interface Forth {
  /** In this order. After them everything is looked at once more. */
  readonly acts: readonly ChainAct[];
  readonly provisioned: ProvisionedSaid;
  readonly joined: JoinedSaid;
}

/** `going`: keys of hosts that are to be given back. `now` in milliseconds since the epoch. */
export function forth(sight: ChainSight, going: ReadonlySet<string>, now: number): Forth {
  const kept = sight.hosts.filter(({ key, role }) => !going.has(key) && sight.roles.includes(role));
  const joiner = joinerOf(sight, kept, now);
  const said = { provisioned: provisionedOf(sight, kept, now), joined: joinedOf(sight, joiner) };
  return { acts: actsOf(sight, kept, joiner, going), ...said };
}

function actsOf(
  sight: ChainSight,
  kept: readonly ChainHost[],
  joiner: Joiner,
  going: ReadonlySet<string>,
): readonly ChainAct[] {
  const { cluster, mayProvision } = sight;
  const heard = carriedOut(sight, going);
  if (heard.length > 0) return heard;
  if (!mayProvision || cluster?.isLeaving === true) return [];
  if (cluster === null) return kept.length === 0 ? [] : [{ do: 'expect' }];
  if (!cluster.isOurs) return [];
  const all = kept.flatMap((host) => actOn(host, sight, joiner));
  if (cluster.hasLabels) return joiner.needsToken ? [{ do: 'token' }] : all;
  // What joins is where its labels and its clusterset say from the beginning; one that has come goes on.
  const now = sight.hasCome ? all : all.filter((act) => act.do !== 'provision');
  return [{ do: 'label' }, ...now];
}

/**
 * Words for hosts on which nothing of ours is any more, or that were given back, and for the whole site,
 * which is not given up: heard once, they wipe nothing that comes later.
 */
function carriedOut({ allowed, abandoned, hosts }: ChainSight, going: ReadonlySet<string>): ChainAct[] {
  const on = new Set(hosts.filter(({ image }) => image === 'ours').map(({ key }) => key));
  const words = [...allowed].filter((word) => !on.has(word));
  const given = [...abandoned].filter((word) => !going.has(word));
  return words.length + given.length === 0 ? [] : [{ do: 'heard', words, abandoned: given }];
}

function actOn(host: ChainHost, { allowed }: ChainSight, joiner: Joiner): ChainAct[] {
  if (!host.mayWrite || host.isLeaving || host.image === 'foreign') return [];
  const { key } = host;
  if (host.image === 'none')
    return host.isAvailable && !host.isAway
      ? [{ do: 'provision', host: key, token: joiner.tokenFor(host) }]
      : [];
  // A person has it wiped, and begun once more.
  if (allowed.has(key)) return [{ do: 'wipe', host: key }];
  // Metal³ has read it.
  if (host.state === 'provisioned') return host.userData === null ? [] : [{ do: 'forget', host: key }];
  const token = joiner.tokenFor(host);
  const isRight =
    host.userData !== null && (hasRead(host) || (host.userData.joinsBy === token && host.joinsBy === token));
  return isRight ? [] : [{ do: 'provision', host: key, token }];
}

function provisionedOf(sight: ChainSight, kept: readonly ChainHost[], now: number): ProvisionedSaid {
  const { cluster, mayProvision, isComplete, deadlineMs, since } = sight;
  if (!mayProvision)
    return notYet('NotAllowedHere', 'Sites may not be made for SIPClusters of this namespace: see Joined.');
  const bad = troubleIn(kept);
  if (bad !== null) return notYet(...bad);
  const open = kept.filter(({ image, state }) => image !== 'ours' || state !== 'provisioned');
  if (open.length > 0) {
    if (cluster?.isOurs !== true)
      return notYet(
        'WaitingForSite',
        'Hosts get their image when the site has its name on the hub: see Joined.',
      );
    const list = named(open.map(({ key, state, image }) => `${key} is ${wordFor(state, image)}`));
    const isLate = since !== null && now - since >= deadlineMs;
    return isLate
      ? notYet(
          'Late',
          `${list}, after ${Math.round(deadlineMs / 60_000)} minutes. It goes on when Metal³ does: look at the BareMetalHost, and at the log of Metal³.`,
        )
      : notYet('Provisioning', `${list}.`);
  }
  if (!isComplete || kept.length === 0)
    return notYet('WaitingForHosts', 'Hosts are missing: see HostsReserved. A site needs one host at least.');
  return { isTrue: true, reason: 'Provisioned', message: '' };
}

function wordFor(state: string, image: ChainHost['image']): string {
  if (state === '') return 'without a state: no operator of Metal³ looks after it';
  return image === 'ours' ? state : `${state}, without its image`;
}

/** What keeps hosts from being provisioned until somebody mends it. */
function troubleIn(kept: readonly ChainHost[]): [ProvisionedSaid['reason'], string] | null {
  const which = (is: (host: ChainHost) => boolean): string => named(kept.filter(is).map(({ key }) => key));
  const foreign = which(({ image }) => image === 'foreign');
  if (foreign !== '')
    return [
      'ForeignImage',
      `Somebody else has put an image on ${foreign}, or has it by its consumerRef. It is left alone: empty spec.image and spec.consumerRef of the BareMetalHost, or take the labels of SIP off it.`,
    ];
  const closed = which(({ mayWrite }) => !mayWrite);
  if (closed !== '')
    return [
      'NotAllowedHere',
      `User data may not be written beside ${closed}: add the namespace to metal.provisionNamespaces of the chart.`,
    ];
  const failed = kept.filter(({ error }) => error !== null);
  if (failed.length > 0)
    return [
      'HostFailed',
      `${named(failed.map(({ key, error }) => `${key}: ${error ?? ''}`))}. Metal³ tries it again by itself. HostsReserved says when another host takes its place.`,
    ];
  const away = which(({ isAway }) => isAway);
  if (away !== '')
    return ['HostAway', `${away} is detached or paused by an annotation: Metal³ does nothing with it.`];
  return null;
}
