// The way to a site's API server: OCM's cluster-proxy, and the token of managed-serviceaccount for the
// reader.
import { SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import { connectedBy, type Kube } from '../../kube/client.ts';
import { ApiError } from '../../kube/failure.ts';
import type { Credentials } from '../../kube/http/credentials.ts';
import { transportTo, type Transport } from '../../kube/http/transport.ts';
import type { Resource } from '../../kube/resource.ts';
import {
  counts,
  MOST_BYTES_OF_LOOK,
  MOST_BYTES_OF_LOOKS,
  MOST_LOGS,
  MOST_LOOKS,
  MOST_VALUES_OF_LOOK,
  within,
  type StreamCounts,
} from '../bounds.ts';
import { answerRoom, type EnterRoom } from '../../kube/http/answer-room.ts';
import { READER_ACCOUNT } from '../names.ts';
import { READER_TIMES } from '../times.ts';
import { noWay } from './sentences.ts';

const ADD_ON: Resource = {
  apiVersion: 'addon.open-cluster-management.io/v1alpha1',
  kind: 'ManagedClusterAddOn',
  plural: 'managedclusteraddons',
  namespaced: true,
};
const TUNNEL = 'cluster-proxy';

/** The user server of cluster-proxy, which leads to every site. */
export interface UserServer {
  /** Such as https://cluster-proxy-addon-user.open-cluster-management-addon.svc:9092. */
  readonly url: string;
  /** PEM of the authorities of its certificate; read at each new token. */
  readonly ca: () => Promise<string>;
}

export interface Way {
  readonly kube: Kube;
  readonly transport: Transport;
  /** The logs that are open on it, under one name. */
  readonly logs: StreamCounts;
}

/** A way, or the sentence why there is none. */
export type FoundWay =
  | { readonly is: 'way'; readonly way: Way }
  | { readonly is: 'none'; readonly why: string };

export interface Ways {
  /**
   * Nothing is asked of the site yet. Throws ApiError if the hub does not answer. Safe to repeat: a site's
   * connections are kept.
   */
  to(site: string, signal?: AbortSignal): Promise<FoundWay>;
  close(): Promise<void>;
}

/** The reader's ways. `hub` may get the add-on cluster-proxy, and the Secret of that one name. */
export function ways(hub: Kube, { url, ca }: UserServer): Ways {
  const room = answerRoom(MOST_BYTES_OF_LOOKS);
  const logs = counts(MOST_LOGS.ofAll);
  const open = new Map<string, { readonly way: Way; readonly checkedAt: number }>();
  return {
    async to(site, signal) {
      const bounds = signal === undefined ? {} : { signal };
      const known = open.get(site);
      const now = performance.now();
      if (known !== undefined && now - known.checkedAt < READER_TIMES.token.ms)
        return { is: 'way', way: known.way };
      const isThere = await hub.getMetadata(ADD_ON, { namespace: site, name: TUNNEL }, bounds);
      if (isThere === null) return { is: 'none', why: noWay(site, 'NoTunnel') };
      const key = { namespace: site, name: READER_ACCOUNT };
      if ((await hub.getMetadata(SECRET, key, bounds)) === null)
        return { is: 'none', why: noWay(site, 'NoToken') };
      // Somebody else may have opened it while the hub was asked.
      const way = open.get(site)?.way ?? opened(hub, { url, ca }, { site, enter: room(site), logs });
      open.set(site, { way, checkedAt: now });
      return { is: 'way', way };
    },
    async close() {
      await Promise.all([...open.values()].map(({ way }) => way.transport.close()));
    },
  };
}

interface Opening {
  readonly site: string;
  readonly enter: EnterRoom;
  /** Of all sites. */
  readonly logs: StreamCounts;
}

function opened(hub: Kube, { url, ca }: UserServer, { site, enter, logs }: Opening): Way {
  const server = new URL(url);
  const transport = transportTo(
    {
      context: site,
      namespace: null,
      origin: server.origin,
      root: `${server.pathname.replace(/\/+$/, '')}/${site}`,
      proxyUrl: null,
      credentials: remembered(async () => ({
        headers: { authorization: `Bearer ${await tokenOf(hub, site)}` },
        tls: { ca: await ca() },
      })),
    },
    {
      deadlineMs: READER_TIMES.site.ms,
      userAgent: 'cappstan-reader',
      mostBytes: MOST_BYTES_OF_LOOK,
      mostValues: MOST_VALUES_OF_LOOK,
      enter,
      callsAtOnce: MOST_LOOKS,
    },
  );
  const places = within(counts(MOST_LOGS.reserved), counts(MOST_LOGS.ofSite), logs);
  return { kube: connectedBy(transport), transport, logs: places };
}

/** Read again after a while, and when the site refuses them: managed-serviceaccount renews tokens. */
function remembered(read: () => Promise<Credentials>): (refused?: Credentials) => Promise<Credentials> {
  let known: { readonly credentials: Credentials; readonly at: number } | null = null;
  return async (refused) => {
    const now = performance.now();
    if (known !== null && known.credentials !== refused && now - known.at < READER_TIMES.token.ms)
      return known.credentials;
    const credentials = await read();
    // The same token again: what it was refused for is not its age.
    if (refused !== undefined && refused.headers['authorization'] === credentials.headers['authorization'])
      return refused;
    known = { credentials, at: now };
    return credentials;
  };
}

async function tokenOf(hub: Kube, site: string): Promise<string> {
  const secret = await hub.get<Secret>(SECRET, { namespace: site, name: READER_ACCOUNT });
  const token = Buffer.from(secret?.data?.['token'] ?? '', 'base64')
    .toString('utf8')
    .trim();
  if (token === '') throw new Error(`Secret ${READER_ACCOUNT} of site ${site} has no token`);
  return token;
}

/** The sentence for what a call through the way has thrown; null if that is no fault of the way. */
export function whyNot(site: string, error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 0) return noWay(site, error.reason === 'NoCredentials' ? 'NoToken' : 'NoAnswer');
  if ([502, 503, 504].includes(error.code)) return noWay(site, 'NoAnswer');
  if (error.code === 401) return noWay(site, 'TokenRefused');
  return error.code === 403 ? noWay(site, 'MayNot') : null;
}
