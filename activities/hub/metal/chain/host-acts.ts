// What is written of a host, and of the Secret with its user data beside it.
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { JOINS_BY, PROVISIONED_FOR, WAS_OFF } from '../../../../crds/metal/labels.ts';
import { BARE_METAL_HOST, NODE_TYPE, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';
import { keyOf, keyTextOf } from '../../../../kube/resource.ts';
import { ChainFault } from './refusals.ts';
import type { Chain, ChainGround } from './see.ts';
import { joinLineOf } from '../../join/token.ts';
import { MADE_BY } from './made-by.ts';
import { fill, templateIn, userDataKey, userDataSecret } from './user-data.ts';

/** The user data is there before the image, which has Metal³ read it. */
export async function provision(
  kube: Kube,
  { cluster, site }: Chain,
  { userData }: ChainGround,
  { host, token }: { readonly host: BareMetalHost; readonly token: string | null },
): Promise<void> {
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
  await writeUserData(kube, secret, userData.get(keyTextOf(host))?.metadata ?? null);
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
export async function wipe(kube: Kube, host: BareMetalHost): Promise<void> {
  const { uid, resourceVersion } = host.metadata;
  const body = {
    metadata: { uid, resourceVersion, annotations: { [JOINS_BY]: null } },
    spec: { image: null, userData: null },
  };
  await kube.patch(BARE_METAL_HOST, keyOf(host), body, MADE_BY);
}

export async function forget(kube: Kube, { userData }: ChainGround, host: BareMetalHost): Promise<void> {
  const { uid, resourceVersion } = userData.get(keyTextOf(host))?.metadata ?? {};
  if (uid === undefined || resourceVersion === undefined) return;
  await kube.remove(SECRET, userDataKey(host), { uid, resourceVersion });
}
