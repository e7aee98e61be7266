// Seals the Secrets of a shipment to the key of its site, where the RCSConfig asks for that, before anything
// is rendered of them.
import { asksForSealing } from '../../../crds/hub/rcs-config.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import { CAPP_SECRET, sealedFor } from '../../../crds/sealing/capp-secret.ts';
import { contentOf } from '../../../crds/sealing/content.ts';
import { UnusableKey } from '../../../crds/sealing/hpke.ts';
import { SEALING_CLAIM, siteKeyOf } from '../../../crds/sealing/site-key.ts';
import type { Kube } from '../../../kube/client.ts';
import { isNewEnough } from '../dns/point.ts';
import { hasHubKey, hubKey } from './hub-key.ts';
import type { WarrantOptions } from '../place/warrant.ts';
import type { Sources } from './neighbours.ts';
import { prepare, type Objection, type Prepared, type Preparing } from './prepare.ts';
import type { Sealed, Shipment } from './render/manifests.ts';

interface Errand {
  readonly cluster: string;
  /** The work that is there. */
  readonly live: ManifestWork | null;
}

/**
 * As `prepare`, with its Secrets sealed if they are to be. By what rang: a ring about sealing comes once, so
 * an older RCSConfig or key would count until the next. Throws `late()` where the caches are older than that,
 * and ApiError.
 */
export async function prepareSealed(
  sources: Sources & Pick<WarrantOptions, 'caches'>,
  asked: Preparing,
  { live, late }: { readonly live: ManifestWork | null; readonly late: () => Error },
): Promise<Prepared | Objection> {
  const prepared = await prepare(sources, asked);
  if ('reason' in prepared) return prepared;
  const { cluster, state } = asked;
  if (sources.sealing !== undefined && !(await isNewEnough(sources.caches, state.minimumVersions)))
    throw late();
  const shipment = await sealShipment(sources, prepared.shipment, { cluster, live });
  return 'reason' in shipment ? shipment : { ...prepared, shipment };
}

/**
 * The shipment with sealed Secrets and without their values, or why it may not go: what cannot be sealed is
 * not sent. While nothing asks for sealing, a shipment is returned as it is.
 * A repeat seals the same content to the same bytes. Throws ApiError.
 */
async function sealShipment(
  {
    kube,
    caches,
    sealing,
  }: Pick<Sources, 'sealing'> & {
    readonly kube: Pick<Kube, 'get' | 'create'>;
    readonly caches: Pick<Sources['caches'], 'clusters'>;
  },
  shipment: Shipment,
  { cluster, live }: Errand,
): Promise<Shipment | Objection> {
  if (sealing === undefined || !(await isAsked(kube, sealing, live))) return shipment;
  if (shipment.secrets.length === 0) return { ...shipment, sealed: [] };
  const site = siteKeyOf(caches.clusters.get({ namespace: null, name: cluster }));
  if (site === null) return noKey(cluster, NO_CLAIM);
  const key = await hubKey(kube, sealing.namespace);
  const { capp, secrets } = shipment;
  const { namespace = '' } = capp.metadata;
  const sealed: Sealed[] = [];
  for (const secret of secrets) {
    const { name } = secret.metadata;
    try {
      sealed.push({ name, ...sealedFor(site, { namespace, name }, contentOf(secret), key) });
    } catch (error) {
      if (!(error instanceof UnusableKey)) throw error;
      return noKey(cluster, 'claims a key that is none of X25519');
    }
  }
  return { ...shipment, secrets: secrets.map(({ metadata }) => ({ metadata })), sealed };
}

/**
 * Why the Secrets of a shipment could not go to a cluster; null if they could. Makes no key, and seals
 * nothing.
 */
export function objectionToSealing(
  { caches, sealing }: Pick<Sources, 'sealing'> & { readonly caches: Pick<Sources['caches'], 'clusters'> },
  { secrets }: Pick<Shipment, 'secrets'>,
  cluster: string,
): Objection | null {
  const config = sealing?.config();
  if (config === undefined || !asksForSealing(config) || secrets.length === 0) return null;
  const site = siteKeyOf(caches.clusters.get({ namespace: null, name: cluster }));
  return site === null ? noKey(cluster, NO_CLAIM) : null;
}

const NO_CLAIM = 'claims no key to which they can be sealed';

/** While there is no RCSConfig, a hub that has ever sealed goes on sealing. */
async function isAsked(
  kube: Pick<Kube, 'get'>,
  { config, namespace }: NonNullable<Sources['sealing']>,
  live: ManifestWork | null,
): Promise<boolean> {
  const known = config();
  if (known !== undefined) return asksForSealing(known);
  const isSealed = live?.spec?.workload.manifests?.some(({ kind }) => kind === CAPP_SECRET.kind) === true;
  return isSealed || (await hasHubKey(kube, namespace));
}

function noKey(cluster: string, why: string): Objection {
  const message =
    `The RCSConfig says that Secrets go to sites only sealed (spec.secrets.sealing), and ${cluster} ${why}, so nothing is sent. ` +
    `A site claims it once Cappstan's add-on of this version runs there: kubectl get managedclusteraddon -n ${cluster} cappstan. ` +
    `On ${cluster}: kubectl get clusterclaim ${SEALING_CLAIM}. Or name another site in spec.site.`;
  return { reason: 'NoSealingKey', message };
}
