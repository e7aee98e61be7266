// A gateway between agents and a real Temporal, with identities of a real API server.
import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { AGENT_ACCOUNT, GATEWAY_AUDIENCE } from '../../../../crds/hub/agent-identity.ts';
import { NAMESPACE, SERVICE_ACCOUNT } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { workName } from '../../../../crds/ocm/work-identity.ts';
import { admittedClusters } from '../../../../gateway/admitted.ts';
import type { EndedCall } from '../../../../gateway/answering.ts';
import { openDoor, type GatewayDoor, type GatewayDoorOptions } from '../../../../gateway/door.ts';
import { identify } from '../../../../gateway/identify.ts';
import { openCalls } from '../../../../gateway/bounds/open-calls.ts';
import { sharedKeys } from '../../../../gateway/shared-keys.ts';
import { worksOfSites } from '../../../../gateway/works.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { issue } from '../../../../tls/certificate.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';
import { startTemporal } from '../../flow/temporal.ts';
import { startApiServer } from '../../servers/api/api-server.ts';
import { agedToken } from '../../servers/api/aged-token.ts';
import { serveBare } from '../../servers/api/definitions.ts';

export interface GatewayForTests {
  readonly kube: Kube;
  /** Temporal with the rights of the hub, past the gateway. */
  readonly hub: Client;
  /** host:port of the gateway, and what signed its certificate (PEM). */
  readonly address: string;
  readonly authority: string;
  /** host:port of Temporal itself. */
  readonly temporal: string;
  /** The calls that have ended at the gateway. */
  readonly ended: EndedCall[];
  /** A token of a ServiceAccount, as the hub worker asks for it. */
  token(namespace: string, wanted?: Partial<Wanted>): Promise<string>;
  /** The same token as the API server would have made it so many hours ago. */
  aged(token: string, hours: number): string;
  /** A client as an agent has it. */
  as(token: string | null): Promise<Connection>;
  accept(cluster: string, isAccepted?: boolean): Promise<void>;
  /** A work of this name in the cluster's namespace. */
  ship(cluster: string, name: string): Promise<void>;
  stop(): Promise<void>;
}

interface Wanted {
  readonly name: string;
  readonly audience: string;
  readonly seconds: number;
}

interface Ways {
  readonly temporal?: TemporalWithWays;
  readonly room?: GatewayDoorOptions['room'];
}

/** A running Temporal, which is stopped with the gateway. */
export interface TemporalWithWays {
  /** host:port. */
  readonly address: string;
  /** A new connection with the hub's rights. */
  connect(): Promise<Client['connection']>;
  stop(): Promise<void>;
}

const RELEASE = 'cappstan-system';

export async function startGateway(
  sites: readonly string[],
  bounds?: GatewayDoorOptions['bounds'],
  { room, temporal }: Ways = {},
): Promise<GatewayForTests> {
  const [api, server] = await Promise.all([startApiServer(), temporal ?? development()]);
  const kube = connect({ kubeconfig: api.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await Promise.all([MANAGED_CLUSTER, MANIFEST_WORK].map((kind) => serveBare(kube, kind)));
  for (const name of [RELEASE, ...sites]) await kube.create(NAMESPACE, { metadata: { name } });
  const [connection, way] = await Promise.all([server.connect(), server.connect()]);
  const stage = actsOn(kube);
  for (const site of sites) await stage.accept(site);
  const ended: EndedCall[] = [];
  const { cert, key, authority } = await issue(['127.0.0.1', 'localhost'], Date.now());
  const { door, stop } = await open(kube, way, { certificate: { cert, key }, ended, bounds, room });
  const address = `127.0.0.1:${door.port}`;
  const agents: Connection[] = [];
  const as = async (token: string | null): Promise<Connection> => {
    const agent = Connection.lazy({
      address,
      tls: { serverRootCACertificate: Buffer.from(authority) },
      ...(token === null ? {} : { apiKey: token }),
      interceptors: [],
    });
    agents.push(agent);
    return Promise.resolve(agent);
  };
  return {
    ...stage,
    kube,
    hub: new Client({ connection }),
    address,
    authority,
    temporal: server.address,
    ended,
    aged: (token, hours) => agedToken(token, hours, readFileSync(api.tokenKey)),
    as,
    stop: async () => {
      await Promise.all(agents.map((one) => one.close()));
      await stop();
      await Promise.all([way.close(), connection.close()]);
      await kube.close();
      await Promise.all([api.stop(), server.stop()]);
    },
  };
}

async function development(): Promise<TemporalWithWays> {
  const server = await startTemporal();
  return { ...server, connect: () => Connection.connect({ address: server.address }) };
}

interface Opening {
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly ended: EndedCall[];
  readonly bounds: GatewayDoorOptions['bounds'];
  readonly room: GatewayDoorOptions['room'];
}

async function open(
  kube: Kube,
  temporal: Client['connection'],
  { certificate, ended, bounds, room }: Opening,
): Promise<{ door: GatewayDoor; stop(): Promise<void> }> {
  const calls = openCalls();
  const clusters = admittedClusters(kube, calls, () => undefined);
  await clusters.synced;
  const door = await openDoor({
    context: {
      temporal,
      namespace: 'default',
      keys: await sharedKeys(kube, { namespace: RELEASE }),
      hasWork: worksOfSites(kube),
      onProblem: () => undefined,
    },
    identify: identify({ kube, clusters }),
    open: calls,
    address: '127.0.0.1:0',
    certificate,
    ...(bounds === undefined ? {} : { bounds }),
    ...(room === undefined ? {} : { room }),
    onEnded: (call) => ended.push(call),
  });
  return {
    door,
    stop: async () => {
      await door.close();
      await clusters.stop();
    },
  };
}

function actsOn(kube: Kube): Pick<GatewayForTests, 'token' | 'accept' | 'ship'> {
  return {
    token: async (namespace, { name = AGENT_ACCOUNT, audience = GATEWAY_AUDIENCE, seconds = 3_600 } = {}) => {
      if ((await kube.get(SERVICE_ACCOUNT, { namespace, name })) === null)
        await kube.create(SERVICE_ACCOUNT, { metadata: { namespace, name } });
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
      const body = { spec: { audiences: [audience], expirationSeconds: seconds } };
      const { status } = (await kube.raw('POST', path, { body })) as { status: { token: string } };
      return status.token;
    },
    accept: async (cluster, hubAcceptsClient = true) => {
      const { apiVersion, kind } = MANAGED_CLUSTER;
      const metadata = { name: cluster };
      await eventually(() =>
        kube.apply(
          MANAGED_CLUSTER,
          { apiVersion, kind, metadata, spec: { hubAcceptsClient } } as KubeObject,
          {
            fieldManager: 'test',
            force: true,
          },
        ),
      );
    },
    ship: async (cluster, name) => {
      const { apiVersion, kind } = MANIFEST_WORK;
      await kube.create(MANIFEST_WORK, { apiVersion, kind, metadata: { namespace: cluster, name } });
    },
  };
}

/** The name of the work of a Capp in namespace `team-a`. */
export const workOf = (name: string): string => workName('team-a', name);
