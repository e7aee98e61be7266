// The Secret that every Capp of a storm needs. It may stand in no ManifestWork as it is.
import { isDeepStrictEqual } from 'node:util';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { siteOf, readCapp } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { CANARY } from '../record/fact.ts';
import { WHILE_AWAY, type Storm } from '../world.ts';

const NAME = 'token';

/** Merged into the container of a Capp. */
export const WITH_SECRET = { envFrom: [{ secretRef: { name: NAME } }] };

type World = Pick<Storm, 'stack' | 'namespace' | 'nextEdition'>;

const dataOf = (edition: number) => ({ token: btoa(`${CANARY}${edition}`) });

export async function createSecret({ stack, namespace, nextEdition }: World): Promise<void> {
  await stack.hub.create<Secret>(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: NAME },
    data: dataOf(nextEdition()),
  });
}

export async function editSecret({ stack, namespace, nextEdition }: World): Promise<void> {
  const data = dataOf(nextEdition());
  await eventually(() => stack.hub.patch(SECRET, { namespace, name: NAME }, { data }), WHILE_AWAY);
}

/** Waits until the site of each of these Capps has opened the newest value. */
export async function untilOpened({ stack, namespace }: World, names: readonly string[]): Promise<void> {
  const key = { namespace, name: NAME };
  for (const name of names)
    await eventually(
      async () => {
        const site = siteOf(await readCapp(stack.hub, { namespace, name }));
        const [wanted, there] = [stack.hub, stack.site(site)].map((one) => one.get<Secret>(SECRET, key));
        if (isDeepStrictEqual((await wanted)?.data, (await there)?.data)) return true;
        throw new Error(`The Secret of ${name} on ${site} is not the newest.`);
      },
      { withinMs: 300_000, everyMs: 500 },
    );
}
