// Which host brings its cluster to the hub, and whether it needs another token for that: pure.
import { hasRead, type ChainHost, type ChainSight } from './sight.ts';

/** Its hosts make a cluster, of which one joins the hub. */
const FIRST_ROLE = 'ControlPlane';

export interface Joiner {
  readonly host: ChainHost | null;
  readonly needsToken: boolean;
  /**
   * `TokenExpired`: its token has ended, and is on the machine already. `NobodyJoins`: all hosts have read
   * their user data, and none got the token of now.
   */
  readonly trouble: 'TokenExpired' | 'NobodyJoins' | null;
  tokenFor(host: ChainHost): string | null;
}

/** One host at a time has a token; and no machine is wiped to give it another. */
export function joinerOf(sight: ChainSight, kept: readonly ChainHost[], now: number): Joiner {
  const { cluster, hasCome, token, hosts } = sight;
  // One that has come and is not accepted was shut out: a token would let it in again.
  if (cluster === null || hasCome)
    return { host: null, needsToken: false, trouble: null, tokenFor: () => null };
  const isGood = token !== null && token.isThere && token.endsAt > now;
  const has = kept.find(
    (host) => host.image === 'ours' && host.joinsBy !== null && isOfNow(host, token?.id ?? null),
  );
  const host = has ?? candidate(kept);
  if (host === undefined) {
    const isOver = kept.length > 0 && kept.every(hasRead);
    return { host: null, needsToken: false, trouble: isOver ? 'NobodyJoins' : null, tokenFor: () => null };
  }
  if (hasRead(host))
    return {
      host,
      needsToken: false,
      trouble: isGood ? null : 'TokenExpired',
      tokenFor: (one) => (one === host && isGood ? (token?.id ?? null) : null),
    };
  const isTaken = hosts.some(
    (one) =>
      one.key !== host.key && one.image === 'ours' && one.joinsBy !== null && one.joinsBy === token?.id,
  );
  const needsToken = !isGood || isTaken || token.endsAt - now < sight.deadlineMs / 2;
  return {
    host,
    needsToken,
    trouble: null,
    tokenFor: (one) => (one.key === host.key ? (token?.id ?? null) : null),
  };
}

/** It has the token, or can still get it. */
function isOfNow(host: ChainHost, token: string | null): boolean {
  return host.joinsBy === token || !hasRead(host);
}

function candidate(kept: readonly ChainHost[]): ChainHost | undefined {
  const able = kept.filter(
    (host) =>
      host.mayWrite &&
      host.image !== 'foreign' &&
      !hasRead(host) &&
      host.error === null &&
      !host.isAway &&
      !host.isLeaving,
  );
  return able.find(({ role }) => role === FIRST_ROLE) ?? able[0];
}
