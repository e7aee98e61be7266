// The testbed of who is let in: a real API server that signs certificates and knows bootstrap tokens, and
// people who make tokens and come with them.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { freshToken, tokenSecret, type TokenText } from '../../../../crds/join/bootstrap-token.ts';
import {
  SIGNING_REQUEST,
  stateOfRequest,
  type SigningRequest,
} from '../../../../crds/join/signing-request.ts';
import { JOIN_TOKEN, TOKEN_ENDS_AT } from '../../../../crds/join/labels.ts';
import { RECORDS_NAMESPACE } from '../../../../crds/join/name-record.ts';
import { NAMESPACE, SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { applyObjects, ourManifests } from '../../../../deploy/local/kubernetes/apply.ts';
import { writeKubeconfig } from '../../../../deploy/local/kubernetes/kubeconfig.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';
import { endpointOf } from '../../../../kube/http/credentials.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';
import type { Approved } from '../../../../workflows/join/port.ts';
import { signingRequest, type Asked } from '../../builders/join/requests.ts';
import { startApiServer, type ApiServerForTests } from '../../servers/api/api-server.ts';
import { serveBare } from '../../servers/api/definitions.ts';

export interface Expected {
  readonly cluster: string;
  readonly token: TokenText;
}

/** Opens the testbed for the tests of a file. Call it once, at the top. */
export function joinTestbed(): JoinTestbed {
  const testbed = new JoinTestbed();
  beforeAll(() => testbed.open(), 300_000);
  afterAll(() => testbed.close());
  return testbed;
}

class JoinTestbed {
  #open: { readonly server: ApiServerForTests; readonly kube: Kube } | null = null;
  /** By the id of their token. */
  readonly #visitors = new Map<string, Kube>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'visitors-'));
  #names = 0;

  async open(): Promise<void> {
    const server = await startApiServer({
      flags: ['--enable-bootstrap-token-auth=true'],
      controllers: ['certificatesigningrequest-signing-controller'],
    });
    const kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
    this.#open = { server, kube };
    await serveBare(kube, MANAGED_CLUSTER);
    await serveBare(kube, MANAGED_CLUSTER_ADD_ON);
    await applyObjects(kube, await ourManifests('hub'));
    await kube.create(NAMESPACE, { metadata: { name: RECORDS_NAMESPACE } });
  }

  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true });
    for (const one of this.#visitors.values()) await one.close();
    await this.#open?.kube.close();
    await this.#open?.server.stop();
  }

  #opened(): { readonly server: ApiServerForTests; readonly kube: Kube } {
    if (this.#open === null) throw new Error('The testbed is not open');
    return this.#open;
  }

  /** Of an administrator. */
  get kube(): Kube {
    return this.#opened().kube;
  }

  get kubeconfig(): string {
    return this.#opened().server.kubeconfig;
  }

  /** As `cappstan token --cluster` does it. */
  async expected(
    more: { cluster?: string; endsAt?: number; isFor?: string; uid?: string } = {},
  ): Promise<Expected> {
    this.#names += 1;
    const token = freshToken(randomBytes);
    const { cluster = `shop-${this.#names}`, endsAt = Date.now() + 3_600_000 } = more;
    const { isFor = cluster } = more;
    const annotations = { [JOIN_TOKEN]: token.id, [TOKEN_ENDS_AT]: new Date(endsAt).toISOString() };
    const made = await this.kube.create<ManagedCluster>(MANAGED_CLUSTER, {
      metadata: { name: cluster, annotations },
      spec: { hubAcceptsClient: false },
    });
    const bound = { cluster: isFor, uid: more.uid ?? made.metadata.uid ?? '' };
    await this.kube.create<Secret>(SECRET, tokenSecret(token, endsAt, bound));
    return { cluster, token };
  }

  /** Somebody who has only this token. */
  async visitor({ id, secret }: TokenText): Promise<Kube> {
    const known = this.#visitors.get(id);
    if (known !== undefined) return known;
    const endpoint = endpointOf({ kubeconfig: this.#opened().server.kubeconfig });
    const { ca = '' } = (await endpoint.credentials()).tls;
    const [authority, file] = [join(this.#folder, 'ca.crt'), join(this.#folder, `${id}.kubeconfig`)];
    writeFileSync(authority, String(ca));
    await writeKubeconfig(file, {
      cluster: 'hub',
      server: endpoint.origin,
      ca: authority,
      credential: { token: `${id}.${secret}` },
    });
    const made = connect({ kubeconfig: file, deadlineMs: API_TIMEOUT_MS });
    this.#visitors.set(id, made);
    return made;
  }

  async asks(token: TokenText, asked: Asked): Promise<SigningRequest> {
    const who = await this.visitor(token);
    const request = await signingRequest(asked);
    // The API server learns of a new token by its watch.
    return eventually(() => this.#made(who, request));
  }

  /** Once, although an answer gets lost and it is tried again. */
  async #made(who: Kube, request: SigningRequest): Promise<SigningRequest | undefined> {
    try {
      return await who.create<SigningRequest>(SIGNING_REQUEST, request);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return (await this.read(request.metadata.name)) ?? undefined;
    }
  }

  async read(name: string): Promise<SigningRequest | null> {
    return this.kube.get<SigningRequest>(SIGNING_REQUEST, { namespace: null, name });
  }

  async clusterOf(name: string): Promise<ManagedCluster | null> {
    return this.kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });
  }

  /** What the workflow does at one look, with what it is told to do. */
  async approves(
    { cluster, token }: Expected,
    { metadata }: SigningRequest,
    now?: number,
  ): Promise<Approved> {
    const joins = hubJoins({ kube: this.kube, ...(now === undefined ? {} : { now: () => now }) });
    return joins.approveJoin(cluster, { request: metadata.name, token: token.id });
  }

  /** Neither the cluster nor the request is let in, whatever the activity is told. */
  async isLeftAlone(who: Expected, request: SigningRequest, why: RegExp, now?: number): Promise<void> {
    const before = await this.clusterOf(who.cluster);
    const answer = await this.approves(who, request, now);
    expect(answer).toEqual({ outcome: 'LeftAlone', why: expect.stringMatching(why) as string });
    const after = await this.read(request.metadata.name);
    expect(after === null ? 'Pending' : stateOfRequest(after)).not.toBe('Approved');
    expect((await this.clusterOf(who.cluster))?.metadata.resourceVersion).toBe(
      before?.metadata.resourceVersion,
    );
  }
}
