// The Capp that is asked about, as it is now: what it says of its sites is what a look begins with.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import type { Kube } from '../../kube/client.ts';
import type { Question } from '../asked.ts';
import { sitesOf } from '../pods.ts';
import { Refused } from '../refusal.ts';

/** Throws Refused (404), ApiError if the hub does not answer, and the signal's reason. */
export async function readCapp(
  hub: Kube,
  { capp: key, site }: Pick<Question, 'capp' | 'site'>,
  signal: AbortSignal,
): Promise<{ readonly capp: Capp; readonly sites: readonly string[] }> {
  const capp = await hub.get<Capp>(CAPP, key, { signal });
  if (capp === null) throw new Refused(404, `There is no Capp ${key.name} in namespace ${key.namespace}.`);
  const sites = sitesOf(capp.status);
  return { capp, sites: site === null ? sites : sites.filter((one) => one === site) };
}

export function isNotThere({ capp: { namespace, name }, site }: Pick<Question, 'capp' | 'site'>): Refused {
  const where = site === null ? 'any site' : site;
  return new Refused(
    404,
    `Capp ${name} in namespace ${namespace} is not on ${where}: kubectl capp why ${name} -n ${namespace} says more.`,
  );
}
