// Does what the chain decides: each act is one write, or two of which the second finds the first. All of them
// rest on the versions that were read.
import { DRAIN, type Drain } from '../../../../crds/drain/drain.ts';
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import {
  ABANDON_HOSTS,
  ALLOW_DETACH,
  ALLOW_WIPE,
  JOINS_BY,
  PROVISIONED_FOR,
  SITE_CAME,
  SITE_OF,
  SITE_OF_NAME,
  WAS_OFF,
} from '../../../../crds/labels.ts';
import { BARE_METAL_HOST, NODE_TYPE, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, SIP_FINALIZER } from '../../../../crds/metal/sip-cluster.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isAlreadyExists, isNotFound } from '../../../../kube/failure.ts';
import { addFinalizer } from '../../../../kube/finalizer.ts';
import { keyOf, keyTextOf } from '../../../../kube/resource.ts';
import type { ChainAct } from '../../../../workflows/metal/chain/sight.ts';
import { ChainFault, mayHaveLabels, mayHaveName } from './refusals.ts';
import { wordsIn, type Chain, type ChainGround } from './see.ts';
import { labelsNote, labelsOf, wantedLabels } from './site-labels.ts';
import { dropToken, joinLineOf, makeToken } from './token.ts';
import { fill, templateIn, userDataKey, userDataSecret } from './user-data.ts';

const MADE_BY = { fieldManager: 'cappstan-sip' } as const;

/** Throws ApiError and ChainFault. A Conflict says that what was read is not so any more. */
export async function doAct(kube: Kube, chain: Chain, ground: ChainGround, act: ChainAct): Promise<void> {
  switch (act.do) {
    case 'note':
      return note(kube, chain);
    case 'expect':
      return expect(kube, chain);
    case 'label':
      return label(kube, chain, ground);
    case 'token':
      return makeToken(kube, {
        managed: there(ground.managed),
        ttlMs: ground.sight.deadlineMs,
        now: chain.now,
      });
    case 'provision':
      return provision(kube, chain, ground, act);
    case 'wipe':
      return wipe(kube, hostOf(chain, act.host));
    case 'forget':
      return forget(kube, ground, hostOf(chain, act.host));
    case 'heard':
      return heard(kube, chain, act);
    case 'drain':
      return drain(kube, chain);
    case 'undrain':
      return undrain(kube, ground);
    case 'detach':
      return detach(kube, ground, act.force);
  }
}

function there<T>(thing: T | null | undefined): T {
  if (thing === null || thing === undefined) throw new Error('an act was planned for what is not there');
  return thing;
}

function hostOf({ own }: Chain, key: string): BareMetalHost {
  return there(own.find((host) => keyTextOf(host) === key));
}

/**
 * Nothing is made for what could go without giving it back: the finalizer is first. One of that name that
 * somebody else made meanwhile stays as it is.
 */
async function expect(kube: Kube, { cluster, site }: Chain): Promise<void> {
  await mayHaveName(kube, site);
  mayHaveLabels(site);
  await addFinalizer(kube, SIP_CLUSTER, cluster, SIP_FINALIZER);
  const { uid = '', namespace = '', name } = cluster.metadata;
  const annotations = { [SITE_OF]: uid, [SITE_OF_NAME]: `${namespace}/${name}`, ...labelsNote(site) };
  try {
    await kube.create<ManagedCluster>(
      MANAGED_CLUSTER,
      {
        metadata: { name: site.name, labels: wantedLabels(site), annotations },
        spec: { hubAcceptsClient: false },
      },
      MADE_BY,
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function note(kube: Kube, { cluster }: Chain): Promise<void> {
  const { uid = '', resourceVersion } = cluster.metadata;
  const metadata = { uid, resourceVersion, annotations: { [SITE_CAME]: uid } };
  await kube.patch(SIP_CLUSTER, keyOf(cluster), { metadata }, MADE_BY);
}

async function label(kube: Kube, { site }: Chain, { managed }: ChainGround): Promise<void> {
  mayHaveLabels(site);
  const known = there(managed);
  const { uid, resourceVersion } = known.metadata;
  const metadata = { uid, resourceVersion, ...labelsOf(site, known) };
  await kube.patch(MANAGED_CLUSTER, keyOf(known), { metadata }, MADE_BY);
}

/** The user data is there before the image, which has Metal³ read it. */
async function provision(
  kube: Kube,
  { cluster, site, own }: Chain,
  { userData }: ChainGround,
  { host: key, token }: Extract<ChainAct, { do: 'provision' }>,
): Promise<void> {
  const host = there(own.find((one) => keyTextOf(one) === key));
  const { uid = '', namespace = '' } = cluster.metadata;
  const role = host.metadata.labels?.[NODE_TYPE] ?? '';
  const name = site.userData[role]?.secret ?? '';
  const template = templateIn(await kube.get<Secret>(SECRET, { namespace, name }), `${namespace}/${name}`);
  if ('fault' in template)
    throw new ChainFault('BadUserData', `${template.fault}: it has the user data of role ${role}.`);
  const line = token === null ? '' : await joinLineOf(kube, site.name, token);
  if (line === null) {
    const { namespace: room, name: secret } = tokenKey(token ?? '');
    throw new ChainFault(
      'Stuck',
      `Secret ${room}/${secret} is not as Cappstan has made it, so no host can join by it. Delete it: another is made then.`,
    );
  }
  if (line === undefined)
    throw new ChainFault(
      'NoHubAddress',
      'The hub does not say where sites find it: it has no ConfigMap kube-public/cluster-info with an address and an authority. cappstan hub and kubeadm make one.',
    );
  const filled = { CLUSTER_NAME: site.name, HOST_NAME: host.metadata.name, ROLE: role, JOIN_LINE: line };
  const secret = userDataSecret(host, { uid, token, text: fill(template.text, filled) });
  await writeUserData(kube, secret, userData.get(key)?.metadata ?? null);
  await giveImage(kube, host, { uid, token, image: site.image, cluster });
}

/** A Secret of that name that is not ours is never written: the API server says that it exists. */
async function writeUserData(
  kube: Kube,
  secret: Secret,
  known: { readonly uid?: string; readonly resourceVersion?: string } | null,
): Promise<void> {
  if (known !== null) {
    const { uid, resourceVersion } = known;
    const annotations = { [JOINS_BY]: null, ...secret.metadata.annotations };
    const body = { metadata: { uid, resourceVersion, annotations }, data: secret.data };
    await kube.patch(SECRET, keyOf(secret), body, MADE_BY);
    return;
  }
  try {
    await kube.create<Secret>(SECRET, secret, MADE_BY);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { namespace = '', name } = secret.metadata;
    const text = `Secret ${namespace}/${name} was made by somebody else, or a moment ago. It is looked at again in half a minute; if it is not ours, delete it.`;
    throw new ChainFault('BadUserData', text);
  }
}

async function giveImage(
  kube: Kube,
  host: BareMetalHost,
  {
    uid,
    token,
    image,
    cluster,
  }: Pick<Chain, 'cluster'> & {
    readonly uid: string;
    readonly token: string | null;
    readonly image: Chain['site']['image'];
  },
): Promise<void> {
  const { metadata, spec } = host;
  const wasOff = spec?.online === false ? { [WAS_OFF]: 'true' } : {};
  const { namespace = '', name } = cluster.metadata;
  await kube.patch(
    BARE_METAL_HOST,
    keyOf(host),
    {
      metadata: {
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
        annotations: { [PROVISIONED_FOR]: uid, [JOINS_BY]: token, ...wasOff },
      },
      spec: {
        // One that is on its way keeps the image with which it began.
        ...(metadata.annotations?.[PROVISIONED_FOR] === uid && (spec?.image?.url ?? '') !== ''
          ? {}
          : { image }),
        userData: userDataKey(host),
        online: true,
        consumerRef: { apiVersion: SIP_CLUSTER.apiVersion, kind: SIP_CLUSTER.kind, namespace, name },
      },
    },
    MADE_BY,
  );
}

/** Metal³ deprovisions it then. The marks stay until that is done. */
async function wipe(kube: Kube, host: BareMetalHost): Promise<void> {
  const { uid, resourceVersion } = host.metadata;
  const body = {
    metadata: { uid, resourceVersion, annotations: { [JOINS_BY]: null } },
    spec: { image: null, userData: null },
  };
  await kube.patch(BARE_METAL_HOST, keyOf(host), body, MADE_BY);
}

async function forget(kube: Kube, { userData }: ChainGround, host: BareMetalHost): Promise<void> {
  const { uid, resourceVersion } = userData.get(keyTextOf(host))?.metadata ?? {};
  if (uid === undefined || resourceVersion === undefined) return;
  await kube.remove(SECRET, userDataKey(host), { uid, resourceVersion });
}

async function heard(
  kube: Kube,
  { cluster }: Chain,
  { words, abandoned }: Extract<ChainAct, { do: 'heard' }>,
): Promise<void> {
  const { uid, resourceVersion, annotations: has } = cluster.metadata;
  const without = (key: string, gone: readonly string[]): string | null => {
    const left = wordsIn(has?.[key]).filter((word) => !gone.includes(word));
    return left.length === 0 ? null : left.join(',');
  };
  const annotations = {
    ...(words.length === 0 ? {} : { [ALLOW_WIPE]: without(ALLOW_WIPE, words) }),
    ...(abandoned.length === 0 ? {} : { [ABANDON_HOSTS]: without(ABANDON_HOSTS, abandoned) }),
  };
  await kube.patch(SIP_CLUSTER, keyOf(cluster), { metadata: { uid, resourceVersion, annotations } }, MADE_BY);
}

async function drain(kube: Kube, { cluster, site }: Chain): Promise<void> {
  const { uid = '', namespace = '', name } = cluster.metadata;
  try {
    await kube.create<Drain>(
      DRAIN,
      {
        apiVersion: DRAIN.apiVersion,
        kind: DRAIN.kind,
        metadata: { name: site.name, annotations: { [PROVISIONED_FOR]: uid } },
        spec: { reason: `SIPCluster ${namespace}/${name} is deleted: its hosts are wiped` } as Drain['spec'],
      },
      MADE_BY,
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function undrain(kube: Kube, { drain: known }: ChainGround): Promise<void> {
  const { uid, resourceVersion } = there(known).metadata;
  if (uid === undefined || resourceVersion === undefined) return;
  await kube.remove(DRAIN, keyOf(there(known)), { uid, resourceVersion });
}

/** The token first: who comes with it in this moment is not let in. */
async function detach(kube: Kube, { managed }: ChainGround, force: boolean): Promise<void> {
  const known = there(managed);
  await dropToken(kube, known);
  const { uid = '', resourceVersion = '' } = force
    ? (await allowDetach(kube, known)).metadata
    : known.metadata;
  try {
    await kube.remove(MANAGED_CLUSTER, keyOf(known), { uid, resourceVersion });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** What a person has said of the SIPCluster, for the webhook that guards ManagedClusters. */
async function allowDetach(kube: Kube, managed: ManagedCluster): Promise<ManagedCluster> {
  const { uid, resourceVersion, annotations = {} } = managed.metadata;
  if (annotations[ALLOW_DETACH] === 'true') return managed;
  const body = { metadata: { uid, resourceVersion, annotations: { [ALLOW_DETACH]: 'true' } } };
  return kube.patch<ManagedCluster>(MANAGED_CLUSTER, keyOf(managed), body, MADE_BY);
}
